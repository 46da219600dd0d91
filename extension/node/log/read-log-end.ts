import { type FileHandle, open } from 'node:fs/promises';
import { sessionTitleOf, titleOfPrompt } from '../../core/log/session-title.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { readEvent } from './read-record.ts';

export interface LogEnd {
  /** The name that the end gives to the session; undefined where it gives none. */
  readonly name: string | undefined;
  /** The beginning of the first prompt; empty where that is not near the log's beginning. */
  readonly prompt: string;
  /** The newest events of a long log, from a prompt or a request on; empty where the log is short, or has neither near its end. */
  readonly events: readonly SessionEvent[];
}

/** Bytes. A log that is not much longer is read whole just as fast. */
const STRETCH = 256 * 1024;
const SHORT: LogEnd = { name: undefined, prompt: '', events: [] };

export async function readLogEnd(path: string): Promise<LogEnd> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size < 2 * STRETCH) return SHORT;
    const start = await readStretch(file, 0);
    // The first line has lost its beginning, and the last one may lack its end.
    const end = (await readStretch(file, size - STRETCH)).slice(1, -1).map(readEvent);
    const events = end.filter((event) => event !== undefined);
    const name = events.findLast((event) => event.type === 'title')?.title;
    return { name, prompt: sessionTitleOf(firstPrompts(start)), events: fromBoundary(events) };
  } finally {
    await file.close();
  }
}

async function readStretch(file: FileHandle, at: number): Promise<string[]> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(STRETCH), 0, STRETCH, at);
  return buffer.toString('utf8', 0, bytesRead).split('\n');
}

/** Up to the first with words. */
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

/** No reply and no call with its result is cut in two. */
function fromBoundary(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const start = events.findIndex(({ type }) => type === 'user' || type === 'request_started');
  return start < 0 ? [] : events.slice(start);
}
