/** The line that mends the bug. */
export const FIXED_LINE =
  "  return [date.getUTCFullYear(), pad(date.getUTCMonth() + 1, 2), pad(date.getUTCDate(), 2)].join('-');";

/** A line that uses the month as if it counted from 1. */
export function isBug(line: string): boolean {
  return line.replaceAll(' ', '').includes('pad(date.getUTCMonth(),2)');
}

const SOURCE = `function pad(number, length) {
  return String(number).padStart(length, '0');
}

/** The date as 2024-02-29, in UTC. */
export function formatDate(date) {
${FIXED_LINE.replace(' + 1', '')}
}
`;

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDate } from '../src/date.js';

test('formats a date as year, month and day', () => {
  assert.equal(formatDate(new Date(Date.UTC(2024, 1, 29))), '2024-02-29');
});
`;

/** A project with the bug in it, for a workspace that has none. */
export const demoFiles = {
  folder: 'harness-demo',
  files: [
    { path: 'src/date.js', content: SOURCE },
    { path: 'test/date.test.js', content: TEST },
  ],
  bugLine: 1 + SOURCE.split('\n').findIndex(isBug),
} as const;
