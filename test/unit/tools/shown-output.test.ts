import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stripTerminalCodes } from '../../../extension/core/base/text/terminal-codes.ts';
import { shownOutput } from '../../../extension/core/tools/bash/shown-output.ts';

const red = (text: string) => `\x1b[31m${text}\x1b[0m\n`;
const lines = (count: number) => Array.from({ length: count }, (_, index) => red(`line ${index}`)).join('');

it('is not there where the result says it all', () => {
  expect(shownOutput('')).toBeUndefined();
  expect(shownOutput('plain\tté\r\n😀'.repeat(10_000))).toBeUndefined();
});

it('is the whole of a short output', () => {
  expect(shownOutput(lines(200))).toEqual({ start: lines(200) });
});

it('is the first and the last hundred lines of a long one', () => {
  const { start, end, moreLines } = shownOutput(lines(1000)) ?? {};
  expect(start).toBe(lines(100));
  expect(end).toBe(lines(1000).slice(-(end?.length ?? 0)));
  expect(end?.split('\n')[0]).toBe(red('line 900').trimEnd());
  expect(moreLines).toBe(800);
});

it('is whole lines of an output with long ones', () => {
  const long = red('x'.repeat(5_000));
  expect(shownOutput(long.repeat(9))).toEqual({ start: long.repeat(2), end: long.repeat(2), moreLines: 5 });
});

it('is two parts of a line that is too long', () => {
  const { start, end, moreLines } = shownOutput(`\x1b[1m${'x'.repeat(1_000_000)}`) ?? {};
  expect(start).toBe(`\x1b[1m${'x'.repeat(11_996)}`);
  expect(end).toBe('x'.repeat(12_000));
  expect(moreLines).toBe(1);
});

it('is bounded, and no code in it is cut', () => {
  const code = fc.constantFrom(
    '\x1b[31m',
    '\x1b[38;5;200m',
    '\x1b]8;;https://a\x1b\\',
    '\x1b]0;t\x07',
    '\x9b1m',
  );
  const word = fc.constantFrom('a', '\n', 'a word', '😀');
  fc.assert(
    fc.property(fc.array(fc.oneof(code, word), { minLength: 1, maxLength: 60 }), (pieces) => {
      const output = `\x1b[1m${pieces.join('').repeat(3_000)}`;
      const { start = '', end = '', moreLines } = shownOutput(output) ?? {};
      const isWhole = moreLines === undefined;
      expect(start.length + end.length).toBeLessThanOrEqual(24_000);
      expect(start.split('\n').length).toBeLessThanOrEqual(isWhole ? 201 : 101);
      expect(end.split('\n').length).toBeLessThanOrEqual(101);
      expect(output.startsWith(start) && output.endsWith(end)).toBe(true);
      const plain = stripTerminalCodes(output);
      expect(plain.startsWith(stripTerminalCodes(start))).toBe(true);
      expect(plain.endsWith(stripTerminalCodes(end))).toBe(true);
    }),
    { numRuns: 60 },
  );
});
