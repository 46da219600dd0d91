// Stores what the two attempts of a stage leave: its counts in out/test, and a trace of each flaky file in
// out/flaky.
import { cp, mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inRepository } from './paths.mjs';
import { judge } from './rerun.mjs';

/** @typedef {import('./rerun.d.mts').Attempt} Attempt */
/** @typedef {import('./rerun.d.mts').FileResult} FileResult */

/** @param {string} stage */
export async function clearTraces(stage) {
  await rm(inRepository('out', 'flaky', stage), { recursive: true, force: true });
  // The folder is missing, or contains the traces of another stage.
  await rmdir(inRepository('out', 'flaky')).catch(() => undefined);
}

/**
 * Writes the counts first, so that a second attempt that is stopped from outside leaves those of the first
 * one.
 * @param {string} stage
 * @param {Attempt} first
 * @param {() => Promise<Attempt>} runAgain
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function settleAttempts(stage, first, runAgain) {
  const before = await writeCounts(stage, judge(first));
  if (!first.files.some(({ failures }) => failures.length > 0)) return before;
  const verdict = judge(first, await runAgain());
  for (const result of verdict.flaky) await keepTrace(stage, result);
  return await writeCounts(stage, verdict);
}

/**
 * @param {string} stage
 * @param {import('./rerun.d.mts').Verdict} verdict
 */
async function writeCounts(stage, { flaky, ...counts }) {
  await mkdir(inRepository('out', 'test'), { recursive: true });
  const results = { ...counts, flaky: flaky.map(({ file }) => file) };
  await writeFile(inRepository('out', 'test', `${stage}.json`), JSON.stringify(results));
  return counts;
}

/**
 * The logs include the pictures of the window.
 * @param {string} stage
 * @param {FileResult} result
 */
async function keepTrace(stage, { file, failures, logs }) {
  const folder = inRepository('out', 'flaky', stage, file);
  await mkdir(folder, { recursive: true });
  const text = failures.map((failure) => `✗ ${failure.name}\n${failure.text}\n`).join('\n');
  await writeFile(path.join(folder, 'failures.txt'), text);
  for (const log of logs) await cp(log, path.join(folder, path.basename(log)), { recursive: true });
  const names = failures.map(({ name }) => `  ✗ ${name}`).join('\n');
  console.log(
    `\nFLAKY ${stage} ${file}: it passed when it was run once more. At first these failed:\n${names}`,
  );
  console.log(`  The trace of that: ${path.join('out', 'flaky', stage, file)}`);
}
