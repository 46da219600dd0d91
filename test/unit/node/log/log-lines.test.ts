import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONGEST_LINE } from '../../../../extension/core/log/hash-chain.ts';
import {
  type LogLine,
  type LogRange,
  LongLineError,
  logLines,
} from '../../../../extension/node/log/log-lines.ts';
import { tempDir } from '../../../support/temp-dir.ts';

async function linesOf(content: string | Buffer, range: LogRange = {}): Promise<LogLine[]> {
  const path = join(await tempDir(), 'log');
  await writeFile(path, content);
  const lines: LogLine[] = [];
  for await (const some of logLines(path, range)) lines.push(...some);
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

test('a range of a file begins and ends where it should', async () => {
  const lines = await linesOf('one\ntwo\nthree\n', { from: 4, to: 8 });
  expect(lines.map(({ at, bytes }) => [at, bytes.toString()])).toEqual([[4, 'two']]);
});

test('a line that crosses the chunks of the reader is whole', async () => {
  const long = `${'a'.repeat(700_000)}✓`.repeat(5);
  const lines = await linesOf(`x\n${long}\ny\n`);
  expect(lines.map(({ bytes }) => bytes.toString() === long)).toEqual([false, true, false]);
  expect(lines.map(({ at }) => at)).toEqual([0, 2, 2 + Buffer.byteLength(long) + 1]);
});

test('a line that is too long is refused with its place, after what stands before it; one just within is read', async () => {
  const path = join(await tempDir(), 'log');
  await writeFile(path, `one\n\n${'x'.repeat(LONGEST_LINE)}\n${'y'.repeat(LONGEST_LINE + 1)}\nfour\n`);
  const read: number[] = [];
  const error = await (async () => {
    for await (const lines of logLines(path)) read.push(...lines.map(({ length }) => length));
  })().catch((thrown: unknown) => thrown);
  expect(read).toEqual([3, LONGEST_LINE]);
  expect(error).toBeInstanceOf(LongLineError);
  expect(error).toMatchObject({ line: 4, at: LONGEST_LINE + 6 });
  expect((error as Error).message).toContain(`Could not read ${path}: line 4 is longer than 16 MB`);
});

test('of such a line of a recording the beginning and the end are read', async () => {
  const long = `{"kind":"blob","bytes":"${'x'.repeat(LONGEST_LINE)}"}`;
  const [line, next] = await linesOf(`${long}\nnext`, { isRecording: true });
  expect(line).toMatchObject({ at: 0, length: long.length, isEnded: true });
  expect(line?.bytes.toString()).toBe(`${long.slice(0, 256)}"}`);
  expect(next?.bytes.toString()).toBe('next');
});
