// Reading a session's file: every intact event is kept, whatever happened to its neighbours.
import { stat } from 'node:fs/promises';
import { ALWAYS, MOST } from '../../core/log/event-buffer.ts';
import { type IndexEnd, readIndex, readIndexEnd, removeIndex } from './log-index.ts';
import { type LogLine, logLines } from './log-lines.ts';
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
  const far = size - MOST;
  const from = Math.min(Math.max(far, end.compaction), size - ALWAYS, end.size);
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
  const reading = new LogReading(size - MOST);
  for await (const lines of logLines(path)) for (const line of lines) reading.take(line);
  return reading.content();
}

/** The lines of the log at `path` that an opening would keep, as many at a time as are read at once. */
export async function* intactLines(path: string, { intact }: LogContent): AsyncGenerator<LogLine[]> {
  for (const { from, to } of intact) yield* logLines(path, { from, to });
}

const LINE_FEED = Buffer.from('\n');

/** The intact lines of the log at `path` as they stand there. `onDamaged` is told of each other one, but for one that does not end: it may be about to. */
export async function* storedLines(path: string, onDamaged: () => void): AsyncGenerator<Uint8Array> {
  for await (const lines of logLines(path)) {
    const intact = lines.filter((line) => {
      const isIntact = recordOf(line) !== undefined;
      if (!isIntact && line.isEnded) onDamaged();
      return isIntact;
    });
    yield Buffer.concat(intact.flatMap(({ bytes }) => [bytes, LINE_FEED]));
  }
}
