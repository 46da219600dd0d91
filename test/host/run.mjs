// Runs test/host/suite inside VS Code's extension host, once per workspace trust.
// node scripts/run.mjs test/host/run.mjs [PART-OF-A-FILE-NAME]
// HARNESS_TEST_DESKTOP=1 runs it in a desktop VS Code, where one can be downloaded.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { clearTraces, settleAttempts } from '../../scripts/lib/flaky.mjs';
import { main } from '../../scripts/lib/main.mjs';
import { inRepository } from '../../scripts/lib/paths.mjs';
import { groupsToRunAgain, join } from '../../scripts/lib/rerun.mjs';
import { packageIfStale } from '../../scripts/lib/vsix.mjs';
import { collectResults } from './results.mjs';

/**
 * `failure` says why VS Code failed, when it did.
 * @typedef {{ failure?: string, logs?: string[] }} Ending
 * @typedef {{ name: string, trust: boolean, testModule: string, limitMilliseconds: number, onLog: (line: string) => void }} Run
 * @typedef {(run: Run) => Promise<Ending>} RunInVsCode
 * @typedef {import('../../scripts/lib/rerun.d.mts').Attempt} Attempt
 * @typedef {{ name: string, trust: boolean }} Configuration
 */

const configurations = [
  { name: 'trusted', folder: '.', trust: true },
  { name: 'restricted', folder: 'restricted', trust: false },
];

const firstLimit = 30 * 60_000;
const limitAgain = 15 * 60_000;
const suite = inRepository('test', 'host', 'suite');

await main(async () => {
  const filter = process.argv[2] ?? '';
  await packageIfStale();
  await clearTraces('host');
  /** @type {{ configuration: Configuration, result: Attempt }[]} */
  const firsts = [];
  for (const configuration of configurations) {
    const files = await testFiles(configuration.folder, filter);
    if (files.length === 0) continue;
    firsts.push({ configuration, result: await attempt(configuration, files, firstLimit) });
  }
  const first = join(firsts.map(({ result }) => result));
  const { passed, failed } = await settleAttempts('host', first, async () => {
    const again = [];
    for (const { configuration, result } of firsts) again.push(await runAgain(configuration, result));
    return join(again);
  });
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

/**
 * @param {Configuration} configuration
 * @param {Attempt} first
 */
async function runAgain({ name, trust }, first) {
  const again = [];
  for (const files of groupsToRunAgain(first)) {
    console.log(`\nOnce more, since it failed: ${files.join(', ')}`);
    again.push(await attempt({ name: `${name}-again`, trust }, files, limitAgain));
  }
  return join(again);
}

/**
 * @param {Configuration} configuration
 * @param {string[]} files
 * @param {number} limitMilliseconds
 */
async function attempt({ name, trust }, files, limitMilliseconds) {
  const place = process.env.HARNESS_TEST_DESKTOP ? 'desktop' : 'server';
  const { runInVsCode } = await import(`./in-${place}.mjs`);
  const results = collectResults(name, files);
  const testModule = await bundle(name, files);
  return results.finish(
    await runInVsCode({ name, trust, testModule, limitMilliseconds, onLog: results.read }),
  );
}

/**
 * All test files of a folder, so that a new file needs no registration.
 * @param {string} folder
 * @param {string} filter
 */
async function testFiles(folder, filter) {
  const files = await readdir(path.join(suite, folder));
  const chosen = files.filter((file) => file.endsWith('.test.ts') && file.includes(filter)).sort();
  return chosen.map((file) => path.posix.join(folder, file));
}

/**
 * One module, which loads one file after another so that each test is known by its file.
 * @param {string} name
 * @param {string[]} files
 */
async function bundle(name, files) {
  const loaders = files.map((file) => `'${file}': () => import('./${file}'),`);
  const run = ['export const run = () => runFiles({', ...loaders, '});'];
  const outfile = inRepository('out', 'host-tests', `${name}.cjs`);
  await build({
    stdin: { contents: [`import { runFiles } from './runner.ts';`, ...run].join('\n'), resolveDir: suite },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return outfile;
}
