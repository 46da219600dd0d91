// Reads what suite/runner.ts reports on VS Code's console, prints a line per test, and says how each file did.

import { isNoise } from '../../scripts/lib/vscode/noise.mjs';

/** @typedef {import('./suite/runner.ts').HostTestLine} HostTestLine */
/** @typedef {Exclude<HostTestLine, { planned: unknown }>} Result */
/** @typedef {import('./suite/runner.ts').PlannedTest} PlannedTest */
/** @typedef {import('../../scripts/lib/rerun.d.mts').FileResult} FileResult */

const marker = 'HOST-TEST ';
const keptLines = 40;

/**
 * @param {string} configuration
 * @param {readonly string[]} files
 */
export function collectResults(configuration, files) {
  /** @type {readonly PlannedTest[] | undefined} */
  let planned;
  /** @type {Result[]} */
  const results = [];
  /** @type {string[]} */
  const otherLines = [];

  return {
    /** @param {string} line */
    read(line) {
      const at = line.indexOf(marker);
      if (at < 0) {
        if (!isNoise(line)) otherLines.push(line);
        if (otherLines.length > keptLines) otherLines.shift();
        return;
      }
      /** @type {HostTestLine} */
      const told = JSON.parse(line.slice(at + marker.length));
      if ('planned' in told) planned = told.planned;
      else {
        results.push(told);
        print(configuration, told);
      }
    },

    /**
     * Counts planned tests that never reported as failed, and shows the logs when anything failed.
     * @param {import('./run.mjs').Ending} ending
     * @returns {import('../../scripts/lib/rerun.d.mts').Attempt}
     */
    finish({ failure, logs = [] }) {
      const missing = planned?.slice(results.length) ?? files.map((file) => ({ file, name: 'its tests' }));
      if (!planned) console.log(`✗ ${configuration}: the tests did not start`);
      else if (missing.length > 0) console.log(`✗ ${configuration}: ${unreported(missing, planned)}`);
      const told = files.map((file) => resultOf(file, results, missing, logs));
      const isFailed = told.some(({ failures }) => failures.length > 0);
      if (isFailed || failure)
        console.log(`--- VS Code's console\n${otherLines.join('\n')}\n${failure ?? ''}`);
      return { files: told, strays: failure && !isFailed ? [{ name: 'VS Code', text: failure }] : [] };
    },
  };
}

/**
 * @param {string} configuration
 * @param {Result} result
 */
function print(configuration, { file, name, milliseconds, error }) {
  if (error === undefined) console.log(`✓ ${configuration}: ${name} (${milliseconds} ms)`);
  else console.log(`✗ ${configuration}: ${name} (${file}, ${milliseconds} ms)\n${error}`);
}

/**
 * @param {readonly PlannedTest[]} missing
 * @param {readonly PlannedTest[]} planned
 */
function unreported(missing, planned) {
  const { file, name } = /** @type {PlannedTest} */ (missing[0]);
  const first = `The first is: ${name} (${file})`;
  return `${missing.length} of ${planned.length} tests did not report, because VS Code ended or hung. ${first}`;
}

/**
 * Of the files with missing tests, only the first one had begun: tests run one after another.
 * @param {string} file
 * @param {readonly Result[]} results
 * @param {readonly PlannedTest[]} missing
 * @param {string[]} logs
 * @returns {FileResult}
 */
function resultOf(file, results, missing, logs) {
  const own = results.filter((result) => result.file === file);
  const lost = missing.filter((test) => test.file === file);
  const text = 'It did not report, because VS Code did not start, ended or hung.';
  return {
    file,
    passed: own.filter(({ error }) => error === undefined).length,
    skipped: 0,
    failures: [
      ...own.flatMap(({ name, error }) => (error === undefined ? [] : [{ name, text: error }])),
      ...lost.map(({ name }) => ({ name, text })),
    ],
    begun: own.length > 0 || missing[0]?.file === file,
    logs,
  };
}
