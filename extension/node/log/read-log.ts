// Reading a session's file: every intact event is kept, whatever happened to its neighbours.
import { stat } from 'node:fs/promises';
import { ALWAYS, MOST } from '../../core/log/event-buffer.ts';
import { readRange } from '../fs/read-file.ts';
import { farFrom, type IndexEnd, readIndex, readIndexEnd, removeIndex } from './log-index.ts';
import { isShortened, type LogLine, logLines } from './log-lines.ts';
import { type LogContent, LogReading } from './log-reader.ts';
import { recordOf } from './read-record.ts';

/** Reads the log at `path` in stretches, so that others can work in between; of a long one its index and its end. */
export async function readLog(path: string): Promise<LogContent> {
  const end = await readIndexEnd(path);
  const indexed = end && (await readIndexed(path, end).catch(() => removeIndex(path)));
  return indexed ?? readWholeLog(path);
}

/** Undefined where that gains nothing. */
async function readIndexed(path: string, end: IndexEnd): Promise<LogContent | undefined> {
  const { size } = await stat(path);
  const far = farFrom(size, MOST, end.longs);
  const from = Math.min(Math.max(far, end.compaction), farFrom(size, ALWAYS, end.longs), end.size);
  if (from <= 0) return undefined;
  const reading = new LogReading(far, end);
  for await (const entries of readIndex(path, end, from)) for (const entry of entries) reading.restore(entry);
  for await (const lines of logLines(path, { from: reading.end }))
    for (const line of lines) reading.take(line);
  return reading.content();
}

/** The same without its index, which does not know what was damaged since. */
export async function readWholeLog(path: string): Promise<LogContent> {
  const { size } = await stat(path);
  const reading = await readFrom(path, new LogReading(size - MOST));
  const far = farFrom(size, MOST, reading.longs);
  // A line too long to be held has made others seem far.
  const isFar = far === size - MOST;
  return (isFar ? reading : await readFrom(path, new LogReading(far))).content();
}

/** The lines of the log at `path` that an opening would keep, as many at a time as are read at once. */
export async function* intactLines(path: string, { intact }: LogContent): AsyncGenerator<LogLine[]> {
  for (const { from, to } of intact) yield* logLines(path, { from, to });
}

async function readFrom(path: string, reading: LogReading): Promise<LogReading> {
  for await (const lines of logLines(path)) for (const line of lines) reading.take(line);
  return reading;
}

const LINE_FEED = Buffer.from('\n');

/** The intact lines of the log at `path` as they stand there, whatever their length. `onDamaged` is told of each other one, but for one that does not end: it may be about to. */
export async function* storedLines(path: string, onDamaged: () => void): AsyncGenerator<Uint8Array> {
  for await (const lines of logLines(path)) {
    let some: Buffer[] = [];
    for (const line of lines) {
      if (!recordOf(line)) {
        if (line.isEnded) onDamaged();
      } else if (!isShortened(line)) some.push(line.bytes, LINE_FEED);
      else {
        yield Buffer.concat(some);
        some = [LINE_FEED];
        yield* readRange(path, line.at, line.at + line.length);
      }
    }
    yield Buffer.concat(some);
  }
}
