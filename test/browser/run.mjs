// Runs test/browser: the packaged extension in the workbench, driven in headless Chromium.
// node scripts/run.mjs test/browser/run.mjs [ARGUMENTS OF VITEST, such as part of a file name]
import { readFile, rm } from 'node:fs/promises';
import { chromium } from '../../scripts/lib/chromium.mjs';
import { clearTraces, settleAttempts } from '../../scripts/lib/flaky.mjs';
import { main } from '../../scripts/lib/main.mjs';
import { inRepository, pinnedNode, repository } from '../../scripts/lib/paths.mjs';
import { exitCodeOf, startProcess } from '../../scripts/lib/process-tree.mjs';
import { groupsToRunAgain, join } from '../../scripts/lib/rerun.mjs';
import { packageIfStale } from '../../scripts/lib/vsix.mjs';

/** @typedef {import('../../scripts/lib/rerun.d.mts').Attempt} Attempt */

await main(async () => {
  // Once, before several ask for it at the same time.
  await chromium();
  await packageIfStale();
  await clearTraces('browser');
  const { code, results } = await attempt('browser-first');
  if (!results) return code || 1;
  const counts = await settleAttempts('browser', results, async () => {
    // Each file has a workbench of its own, so one run does for all.
    const files = groupsToRunAgain(results).flat();
    console.log(`\nOnce more, since they failed: ${files.join(', ')}`);
    return (await attempt('browser-again', files)).results ?? join([]);
  });
  return counts.failed === 0 ? 0 : 1;
});

/**
 * @param {string} name of the results in out/test
 * @param {string[]} [files] of all that the arguments name, only these
 * @returns {Promise<{ code: number, results?: Attempt }>}
 */
async function attempt(name, files) {
  const file = inRepository('out', 'test', `${name}.json`);
  await rm(file, { force: true });
  const env = {
    ...process.env,
    HARNESS_TEST_RESULTS: file,
    HARNESS_TEST_FILES: JSON.stringify(files ?? null),
  };
  const vitest = await startProcess(pinnedNode, vitestArguments(), { cwd: repository, env });
  const exit = await vitest.exited;
  const text = exit.signal ? undefined : await readFile(file, 'utf8').catch(() => undefined);
  const code = exitCodeOf(exit);
  return { code, ...(text !== undefined && { results: explain(JSON.parse(text), code) }) };
}

function vitestArguments() {
  return [
    inRepository('node_modules', 'vitest', 'vitest.mjs'),
    ...['run', '--config', inRepository('test', 'browser', 'vitest.config.mjs')],
    ...['--reporter=default', `--reporter=${inRepository('test', 'browser', 'file-results.mjs')}`],
    ...process.argv.slice(2),
  ];
}

/**
 * Vitest may also fail beyond all files, as when its own process does not end.
 * @param {Attempt} attempt
 * @param {number} code
 * @returns {Attempt}
 */
function explain({ files, strays }, code) {
  const isExplained = code === 0 || strays.length > 0 || files.some(({ failures }) => failures.length > 0);
  const text = `It ended with exit code ${code}, although no test failed.`;
  return { files, strays: isExplained ? strays : [{ name: 'Vitest', text }] };
}
