// Reads what suite/runner.ts reports on VS Code's console, prints a line per test, and counts.

import { isNoise } from '../../scripts/lib/vscode/noise.mjs';

const marker = 'HOST-TEST ';
const keptLines = 40;

/** @param {string} configuration */
export function collectResults(configuration) {
  const counts = { passed: 0, failed: 0 };
  /** @type {number | undefined} */
  let planned;
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
      /** @type {import('./suite/runner.ts').HostTestLine} */
      const result = JSON.parse(line.slice(at + marker.length));
      if ('planned' in result) planned = result.planned;
      else if (result.error === undefined) {
        counts.passed += 1;
        console.log(`✓ ${configuration}: ${result.name} (${result.milliseconds} ms)`);
      } else {
        counts.failed += 1;
        console.log(`✗ ${configuration}: ${result.name} (${result.milliseconds} ms)\n${result.error}`);
      }
    },

    /**
     * Counts planned tests that never reported as failed, and shows the logs when anything failed.
     * @param {string | undefined} failure why VS Code failed, when it did
     */
    finish(failure) {
      const missing = planned === undefined ? 1 : planned - counts.passed - counts.failed;
      if (planned === undefined) console.log(`✗ ${configuration}: the tests did not start`);
      else if (missing > 0)
        console.log(
          `✗ ${configuration}: ${missing} of ${planned} tests did not report, because VS Code ended or hung`,
        );
      counts.failed += missing;
      if (failure && counts.failed === 0) counts.failed = 1;
      if (counts.failed > 0) console.log(`--- VS Code's console\n${otherLines.join('\n')}\n${failure ?? ''}`);
      return counts;
    },
  };
}
