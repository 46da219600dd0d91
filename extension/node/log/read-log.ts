// Reads a session's log and keeps every intact event, even if lines around it are damaged.
import { stat } from 'node:fs/promises';
import { ALWAYS, MOST } from '../../core/log/event-buffer.ts';
import { type IndexEnd, readIndex, readIndexEnd, removeIndex } from './log-index.ts';
import { type LogLine, logLines } from './log-lines.ts';
import { type LogContent, LogReading } from './log-reader.ts';
import { recordOf } from './read-record.ts';

/**
 * Reads the log at `path` in chunks, so that other work can run in between. Of a long log, reads the index
 * and the end.
 */
export async function readLog(path: string): Promise<LogContent> {
  const end = await readIndexEnd(path);
  const indexed = end && (await readIndexed(path, end).catch(() => removeIndex(path)));
  return indexed ?? readWholeLog(path);
}

/** Returns undefined if the index saves no reading. */
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

/** Like `readLog`, but without the index, which does not know of later damage. */
export async function readWholeLog(path: string): Promise<LogContent> {
  const { size } = await stat(path);
  const reading = new LogReading(size - MOST);
  for await (const lines of logLines(path)) for (const line of lines) reading.take(line);
  return reading.content();
}

/** Yields the lines of the log at `path` that opening it would keep, one batch per read. */
export async function* intactLines(path: string, { intact }: LogContent): AsyncGenerator<LogLine[]> {
  for (const { from, to } of intact) yield* logLines(path, { from, to });
}

const LINE_FEED = Buffer.from('\n');

/**
 * Yields the intact lines of the log at `path` unchanged. Calls `onDamaged` for each other line, except an
 * unended one, which may still be growing.
 */
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
