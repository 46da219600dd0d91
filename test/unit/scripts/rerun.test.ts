import { expect, test } from 'vitest';
import {
  type Attempt,
  type FileResult,
  flakyLines,
  groupsToRunAgain,
  judge,
  tooFlaky,
} from '../../../scripts/lib/rerun.mjs';

const failing = (...names: string[]) => ({ failures: names.map((name) => ({ name, text: `${name}!` })) });

const result = (file: string, more: Partial<FileResult> = {}): FileResult => ({
  file,
  passed: 1,
  skipped: 0,
  failures: [],
  begun: true,
  logs: [],
  ...more,
});

const attempt = (files: FileResult[], ...strays: string[]): Attempt => ({
  files,
  strays: failing(...strays).failures,
});

test('where nothing failed, nothing runs again and everything counts', () => {
  const first = attempt([result('a', { passed: 3, skipped: 2 }), result('b')]);
  expect(groupsToRunAgain(first)).toEqual([]);
  expect(judge(first)).toEqual({ passed: 4, failed: 0, skipped: 2, flaky: [] });
});

test('each file that failed runs again alone; those that had no turn run together', () => {
  const unheard = { passed: 0, begun: false, ...failing('one') };
  const files = [result('a', failing('x')), result('b'), result('c', failing('y'))];
  const first = attempt([...files, result('d', unheard), result('e', unheard)]);
  expect(groupsToRunAgain(first)).toEqual([['a'], ['c'], ['d', 'e']]);
});

test('a file that passes the second time counts as passed, and is flaky with what it said the first time', () => {
  const broken = result('b', { passed: 2, ...failing('x', 'y') });
  const verdict = judge(attempt([result('a'), broken]), attempt([result('b', { passed: 4, skipped: 1 })]));
  expect(verdict).toEqual({ passed: 5, failed: 0, skipped: 1, flaky: [broken] });
});

test('a file that fails again fails, with the counts of its second attempt', () => {
  const first = attempt([result('a', { passed: 0, ...failing('x', 'y') })]);
  const verdict = judge(first, attempt([result('a', { passed: 1, ...failing('y') })]));
  expect(verdict).toEqual({ passed: 1, failed: 1, skipped: 0, flaky: [] });
});

test('without a second attempt, or where nothing ran in it, the first one stays', () => {
  const first = attempt([result('a', failing('x'))]);
  const failed = { passed: 1, failed: 1, skipped: 0, flaky: [] };
  expect(judge(first)).toEqual(failed);
  expect(judge(first, attempt([result('a', { passed: 0, skipped: 2 })]))).toEqual(failed);
});

test('a file that had no turn and then passes is not flaky: another one ended VS Code', () => {
  const culprit = result('a', { passed: 0, ...failing('x') });
  const first = attempt([culprit, result('b', { passed: 0, begun: false, ...failing('y') })]);
  const verdict = judge(first, attempt([result('a'), result('b')]));
  expect(verdict).toEqual({ passed: 2, failed: 0, skipped: 0, flaky: [culprit] });
});

test('what belongs to no file stays a failure, in whichever attempt it was', () => {
  const first = [result('a', failing('x'))];
  expect(judge(attempt([result('a')], 'lost')).failed).toBe(1);
  expect(judge(attempt(first, 'lost'), attempt([result('a')])).failed).toBe(1);
  expect(judge(attempt(first), attempt([result('a')], 'lost')).failed).toBe(1);
  expect(judge(attempt(first, 'lost')).failed).toBe(1);
});

test('the flaky files are named at the end, and more than three fail the run', () => {
  const names = ['browser crash.test.ts', 'host undo.test.ts', 'host ask.test.ts'];
  expect(flakyLines([])).toEqual([]);
  expect(flakyLines(names.slice(0, 1))).toEqual([
    '1 flaky file (passed when run once more): browser crash.test.ts; traces: out/flaky',
  ]);
  expect(flakyLines(names)).toEqual([
    '3 flaky files (passed when run once more): browser crash.test.ts, host undo.test.ts, host ask.test.ts; traces: out/flaky',
  ]);
  expect(tooFlaky(names)).toBe(false);
  const four = [...names, 'browser tabs.test.ts'];
  expect(tooFlaky(four)).toBe(true);
  expect(flakyLines(four)[1]).toBe('More than 3 files were flaky, so the run fails.');
});
