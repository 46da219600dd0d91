import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONGEST_LINE } from '../../../../extension/core/log/hash-chain.ts';
import { type LogLine, logLines, type Stretch } from '../../../../extension/node/log/log-lines.ts';
import { JsonShortener } from '../../../../extension/node/log/shorten-json.ts';
import { tempDir } from '../../../support/temp-dir.ts';

async function linesOf(content: string | Buffer, stretch: Stretch = {}): Promise<LogLine[]> {
  const path = join(await tempDir(), 'log');
  await writeFile(path, content);
  const lines: LogLine[] = [];
  for await (const some of logLines(path, stretch)) lines.push(...some);
  return lines;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('each line has its place, its bytes and its hash; empty ones are none', async () => {
  const lines = await linesOf('one\n\ntwo ✓\nthree');
  expect(lines.map(({ at, length, bytes, isEnded }) => [at, length, bytes.toString(), isEnded])).toEqual([
    [0, 3, 'one', true],
    [5, 7, 'two ✓', true],
    [13, 5, 'three', false],
  ]);
  expect(lines.map((line) => line.hash())).toEqual(['one', 'two ✓', 'three'].map(sha256));
});

test('a stretch of a file begins and ends where it is told to', async () => {
  const lines = await linesOf('one\ntwo\nthree\n', { from: 4, to: 8 });
  expect(lines.map(({ at, bytes }) => [at, bytes.toString()])).toEqual([[4, 'two']]);
});

test('a line that crosses the stretches of the reader is whole', async () => {
  const long = `${'a'.repeat(700_000)}✓`.repeat(5);
  const lines = await linesOf(`x\n${long}\ny\n`);
  expect(lines.map(({ bytes }) => bytes.toString() === long)).toEqual([false, true, false]);
  expect(lines.map(({ at }) => at)).toEqual([0, 2, 2 + Buffer.byteLength(long) + 1]);
});

test('of a line that is too long the strings are cut, and its hash is that of the whole', async () => {
  const value = { type: 'text', content: '✓"\\\n'.repeat(LONGEST_LINE / 8), list: [1, 'short'], seq: 7 };
  const text = JSON.stringify(value);
  const [line, next] = await linesOf(`${text}\nnext\n`);
  const read = JSON.parse(line?.bytes.toString() ?? '') as typeof value;
  expect(read).toEqual({
    ...value,
    content: expect.stringMatching(/^(✓"\\\n)+.*… \(\d+ bytes are left out here\)$/su),
  });
  expect(read.content.length).toBeLessThan(2_100);
  expect(line?.hash()).toBe(sha256(text));
  expect(next?.bytes.toString()).toBe('next');
});

test('however it is cut into pieces, a shortened JSON text is the same value with short strings', () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\n', '✓', '😀', '\u0001', '\\u'),
    maxLength: 6_000,
  });
  fc.assert(
    fc.property(fc.jsonValue(), texts, texts, fc.array(fc.nat(9_000)), (other, key, long, cuts) => {
      const json = Buffer.from(JSON.stringify({ other, [`k${key.slice(0, 9)}`]: [long], end: true }));
      const shortener = new JsonShortener(1_000_000);
      const places = [0, ...cuts.filter((at) => at < json.length).sort((a, b) => a - b), json.length];
      for (const [index, at] of places.entries()) shortener.feed(json.subarray(at, places[index + 1]));
      const read = JSON.parse(shortener.end()?.toString() ?? '') as Record<string, unknown>;
      expect(Object.keys(read)).toEqual(Object.keys(JSON.parse(json.toString())));
      const [kept] = read[`k${key.slice(0, 9)}`] as [string];
      const [start = ''] = kept.split(/… \(\d+ bytes are left out here\)$/u);
      expect(
        long.startsWith(start) && (start === long || Buffer.byteLength(JSON.stringify(start)) > 1_990),
      ).toBe(true);
      expect(read.other).toEqual(other);
    }),
  );
});

test('what is too long even when it is cut is given up', () => {
  const shortener = new JsonShortener(100);
  shortener.feed(Buffer.from(JSON.stringify(Array.from({ length: 200 }, (_, n) => n))));
  expect(shortener.end()).toBeUndefined();
});
