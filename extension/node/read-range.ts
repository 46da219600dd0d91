import { createReadStream } from 'node:fs';

const STRETCH = 256 * 1024;

/** The bytes of the file at `path` from byte `from` to the one before `to`, or to its end where that comes first. */
export function readRange(path: string, from: number, to: number): AsyncIterable<Buffer> {
  // `end` is the last byte.
  return createReadStream(path, { start: from, end: to - 1, highWaterMark: STRETCH });
}
