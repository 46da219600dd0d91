// Runs test/host/suite inside VS Code's extension host, once per workspace trust.
// node scripts/run.mjs test/host/run.mjs [PART-OF-A-FILE-NAME]
// HARNESS_TEST_DESKTOP=1 runs it in a desktop VS Code, where one can be downloaded.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { main } from '../../scripts/lib/main.mjs';
import { inRepository } from '../../scripts/lib/paths.mjs';
import { packageIfStale } from '../../scripts/lib/vsix.mjs';
import { collectResults } from './results.mjs';

/**
 * @typedef {{ name: string, trust: boolean, testModule: string, onLog: (line: string) => void }} Run
 * @typedef {(run: Run) => Promise<string | undefined>} RunInVsCode returns why VS Code failed, when it did
 */

const configurations = [
  { name: 'trusted', folder: 'suite', trust: true },
  { name: 'restricted', folder: 'suite/restricted', trust: false },
];

await main(async () => {
  const filter = process.argv[2] ?? '';
  const place = process.env.HARNESS_TEST_DESKTOP ? 'desktop' : 'server';
  const { runInVsCode } = await import(`./in-${place}.mjs`);
  await packageIfStale();
  const total = { passed: 0, failed: 0 };
  for (const { name, folder, trust } of configurations) {
    const testModule = await bundle(name, folder, filter);
    if (!testModule) continue;
    const results = collectResults(name);
    const { passed, failed } = results.finish(
      await runInVsCode({ name, trust, testModule, onLog: results.read }),
    );
    total.passed += passed;
    total.failed += failed;
  }
  await mkdir(inRepository('out', 'test'), { recursive: true });
  await writeFile(inRepository('out', 'test', 'host.json'), JSON.stringify(total));
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
});

/**
 * One module with all test files of a folder, so that a new file needs no registration.
 * @param {string} name
 * @param {string} folder
 * @param {string} filter
 * @returns {Promise<string | undefined>} nothing when there are no such files
 */
async function bundle(name, folder, filter) {
  const resolveDir = inRepository('test', 'host', folder);
  const files = (await readdir(resolveDir))
    .filter((file) => file.endsWith('.test.ts') && file.includes(filter))
    .sort();
  if (files.length === 0) return undefined;
  const runner = path.posix.relative(folder, 'suite/runner.ts');
  const contents = [...files.map((file) => `import './${file}';`), `export { run } from './${runner}';`].join(
    '\n',
  );
  const outfile = inRepository('out', 'host-tests', `${name}.cjs`);
  await build({
    stdin: { contents, resolveDir },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return outfile;
}
