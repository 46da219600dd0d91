// Decides what runs again, and judges the two attempts. rerun.d.mts defines the terms.

/** @typedef {import('./rerun.d.mts').FileResult} FileResult */

const flakyLimit = 3;

/** @param {FileResult} result */
const isFailed = ({ failures }) => failures.length > 0;

/** @type {typeof import('./rerun.d.mts').groupsToRunAgain} */
export function groupsToRunAgain({ files }) {
  const failed = files.filter(isFailed);
  const alone = failed.filter(({ begun }) => begun).map(({ file }) => [file]);
  const together = failed.filter(({ begun }) => !begun).map(({ file }) => file);
  return together.length > 0 ? [...alone, together] : alone;
}

/** @type {typeof import('./rerun.d.mts').join} */
export const join = (attempts) => ({
  files: attempts.flatMap(({ files }) => files),
  strays: attempts.flatMap(({ strays }) => strays),
});

/** @type {typeof import('./rerun.d.mts').judge} */
export function judge(first, again = join([])) {
  const later = new Map(again.files.map((result) => [result.file, result]));
  const settled = first.files.map((result) => ({ result, final: settle(result, later.get(result.file)) }));
  const final = settled.map((one) => one.final);
  const failed = sum(final.map(({ failures }) => failures.length));
  const strays = first.strays.length + again.strays.length;
  return {
    passed: sum(final.map(({ passed }) => passed)),
    failed: strays > 0 ? Math.max(failed, 1) : failed,
    skipped: sum(final.map(({ skipped }) => skipped)),
    flaky: settled.filter(isFlaky).map(({ result }) => result),
  };
}

/**
 * Only a failed file has a second attempt. An attempt in which no test ran proves nothing.
 * @param {FileResult} first
 * @param {FileResult | undefined} again
 */
function settle(first, again) {
  if (!isFailed(first) || !again) return first;
  return isFailed(again) || again.passed > 0 ? again : first;
}

/** @param {{ result: FileResult, final: FileResult }} settled */
const isFlaky = ({ result, final }) => result.begun && isFailed(result) && !isFailed(final);

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** @type {typeof import('./rerun.d.mts').flakyLines} */
export function flakyLines(flaky) {
  if (flaky.length === 0) return [];
  const files = flaky.length === 1 ? '1 flaky file' : `${flaky.length} flaky files`;
  const line = `${files} (passed when run once more): ${flaky.join(', ')}; traces: out/flaky`;
  if (!tooFlaky(flaky)) return [line];
  return [line, `More than ${flakyLimit} files were flaky, so the run fails.`];
}

/** @type {typeof import('./rerun.d.mts').tooFlaky} */
export const tooFlaky = (flaky) => flaky.length > flakyLimit;
