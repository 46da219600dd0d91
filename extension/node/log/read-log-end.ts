import { type FileHandle, open } from 'node:fs/promises';
import { sessionTitleOf, titleOfPrompt } from '../../core/log/session-title.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { readEvent } from './read-record.ts';

interface LogEnd {
  /** The last title near the end of the log; undefined if there is none. */
  readonly name: string | undefined;
  /** The beginning of the first prompt; empty if the prompt is not near the log's beginning. */
  readonly prompt: string;
  /**
   * The newest events of a long log, from a prompt or a request on. Empty if the log is short, or has neither
   * near its end.
   */
  readonly events: readonly SessionEvent[];
}

/** Bytes read at each end. A log that is not much longer can be read whole just as fast. */
const CHUNK_BYTES = 256 * 1024;
const SHORT: LogEnd = { name: undefined, prompt: '', events: [] };

export async function readLogEnd(path: string): Promise<LogEnd> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size < 2 * CHUNK_BYTES) return SHORT;
    const start = await readChunk(file, 0);
    // The chunk may start and end inside a line, so its first and last lines are dropped.
    const end = (await readChunk(file, size - CHUNK_BYTES)).slice(1, -1).map(readEvent);
    const events = end.filter((event) => event !== undefined);
    const name = events.findLast((event) => event.type === 'title')?.title;
    return { name, prompt: sessionTitleOf(firstPrompts(start)), events: fromBoundary(events) };
  } finally {
    await file.close();
  }
}

async function readChunk(file: FileHandle, at: number): Promise<string[]> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at);
  return buffer.toString('utf8', 0, bytesRead).split('\n');
}

/** Returns the prompts up to the first one with words. */
function firstPrompts(lines: readonly string[]): SessionEvent[] {
  const prompts: SessionEvent[] = [];
  for (const line of lines) {
    const event = readEvent(line);
    if (event?.type !== 'user') continue;
    prompts.push(event);
    if (titleOfPrompt(event.content) !== '') break;
  }
  return prompts;
}

/** Starts at a prompt or a request, so that no reply, and no call with its result, is cut in two. */
function fromBoundary(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const start = events.findIndex(({ type }) => type === 'user' || type === 'request_started');
  return start < 0 ? [] : events.slice(start);
}
