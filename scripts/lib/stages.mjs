// The stages of `npm test`. Each is a command; the counts of its tests come from the results that it writes.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { inRepository, pinnedNode, repository } from './paths.mjs';
import { startProcess } from './process-tree.mjs';
import { flakyLines, tooFlaky } from './rerun.mjs';

/**
 * `skipped` counts tests that this machine cannot run; `flaky` lists files that passed in their second run.
 * @typedef {{ passed: number, failed: number, skipped?: number, flaky?: string[] }} Counts
 */
/** @typedef {{ title: string, args: string[], read?: (results: any) => Counts }} Stage without `read`, it counts as one test */

/**
 * Several times the duration of a stage on an otherwise idle machine, so that only a stage that hangs is
 * stopped.
 */
const limitMilliseconds = 60 * 60_000;

/** Colors are useless in a file or on CI. Biome needs its own option. */
const plain = !process.stdout.isTTY;
const env = plain ? { ...process.env, NO_COLOR: '1' } : process.env;

/** @param {string} name */
const resultsFile = (name) => inRepository('out', 'test', `${name}.json`);

/**
 * Arguments that run vitest and write its results.
 * @param {string} name
 */
export const vitestArguments = (name) => [
  inRepository('node_modules', 'vitest', 'vitest.mjs'),
  ...['run', '--reporter=default', '--reporter=json', `--outputFile.json=${resultsFile(name)}`],
];

/**
 * A file that fails to load has no tests to count, and is a failure.
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, testResults: { status: string, assertionResults: unknown[] }[] }} results
 */
const readVitest = ({ numPassedTests, numFailedTests, numPendingTests, testResults }) => ({
  passed: numPassedTests,
  skipped: numPendingTests,
  failed:
    numFailedTests +
    testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length,
});

/** These stages judge their two attempts themselves. @param {Counts} counts */
const readCounts = (counts) => counts;

/** @type {Map<string, Stage>} */
const stages = new Map(
  Object.entries({
    types: { title: 'Types', args: [inRepository('node_modules', 'typescript', 'bin', 'tsc'), '-b'] },
    lint: {
      title: 'Lint',
      args: [
        inRepository('node_modules', '@biomejs', 'biome', 'bin', 'biome'),
        'ci',
        '.',
        ...(plain ? ['--colors=off'] : []),
      ],
    },
    unit: {
      title: 'Unit tests',
      args: vitestArguments('unit'),
      read: readVitest,
    },
    panel: { title: 'Tests of the panel’s page', args: ['test/panel/run.mjs'], read: readVitest },
    package: { title: 'Package and its size', args: ['scripts/package.mjs'] },
    host: { title: 'Tests inside VS Code', args: ['test/host/run.mjs'], read: readCounts },
    browser: {
      title: 'Tests of the packaged extension in the workbench',
      args: ['test/browser/run.mjs'],
      read: readCounts,
    },
  }),
);

export const stageNames = [...stages.keys()];

/**
 * @param {readonly string[]} names which stages; they run in their own order
 * @returns {Promise<number>} the exit code
 */
export async function runStages(names) {
  const unknown = names.filter((name) => !stages.has(name));
  if (unknown.length > 0)
    throw new Error(`No such stage: ${unknown.join(', ')}. There are ${stageNames.join(', ')}.`);
  const total = { passed: 0, failed: 0, skipped: 0, flaky: /** @type {string[]} */ ([]) };
  for (const [name, stage] of stages) {
    if (!names.includes(name)) continue;
    const { passed, failed, skipped = 0, flaky = [] } = await runStage(name, stage);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    total.flaky.push(...flaky.map((file) => `${name} ${file}`));
  }
  return conclude(total);
}

/** @param {Required<Counts>} total @returns {number} the exit code */
function conclude({ passed, failed, skipped, flaky }) {
  const failures = failed + (tooFlaky(flaky) ? 1 : 0);
  console.log(`\n${skipped} skipped, for want of a model, a program or a system that they are about`);
  for (const line of flakyLines(flaky)) console.log(line);
  console.log(`${passed} passed, ${failures} failed`);
  return failures === 0 ? 0 : 1;
}

/**
 * @param {string} name
 * @param {Stage} stage
 */
async function runStage(name, stage) {
  console.log(`\n=== ${stage.title} ===`);
  const started = Date.now();
  await rm(resultsFile(name), { force: true });
  await mkdir(inRepository('out', 'test'), { recursive: true });
  const counts = await countsOf(stage, resultsFile(name), await succeeds(stage));
  console.log(
    `${stage.title}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped ?? 0} skipped in ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  return counts;
}

/** @param {Stage} stage */
async function succeeds({ title, args }) {
  const child = await startProcess(pinnedNode, args, { cwd: repository, env });
  const timer = setTimeout(() => {
    console.error(`${title} did not end within ${limitMilliseconds / 60_000} minutes and is stopped.`);
    child.stop();
  }, limitMilliseconds);
  const { code } = await child.exited;
  clearTimeout(timer);
  return code === 0;
}

/**
 * @param {Stage} stage
 * @param {string} file
 * @param {boolean} success
 * @returns {Promise<Counts>}
 */
async function countsOf({ title, read }, file, success) {
  if (!read) return success ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const results = await readFile(file, 'utf8').catch(() => undefined);
  if (results === undefined) {
    console.error(`${title} ended without results, so that is counted as one failure.`);
    return { passed: 0, failed: 1 };
  }
  const counts = read(JSON.parse(results));
  // A failure outside of single tests: an unhandled rejection, or a process that does not end.
  return { ...counts, failed: success ? counts.failed : Math.max(counts.failed, 1) };
}
