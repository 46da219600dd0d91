// Finds words in the logs of all sessions: one log after the other, newest first, so that whoever asks sees the first
// results at once and can stop whenever it has enough.
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { LONGEST_LINE } from '../../core/log/hash-chain.ts';
import { inputText, resultText } from '../../core/view/tool-text.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { readEvent } from '../log/read-record.ts';
import { isSessionId, logOf } from '../log/session-files.ts';

/** Where a session says what was looked for. */
export interface SessionMatch {
  readonly id: string;
  /** The line that says it, or as much of it as there is room for. */
  readonly line: string;
}

/** Bytes that are read of a log at a stretch. */
const STRETCH = 1 << 20;
/** Characters of a line that are shown, and those of them before the match. */
const LINE_LENGTH = 120;
const BEFORE = 30;

/** The first match in each session below `root`, in whatever was said, called or answered; case does not count. */
export async function* searchSessions(
  root: string,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<SessionMatch> {
  const wanted = query.trim().toLowerCase();
  const ids = ((await ifPresent(readdir(root))) ?? []).filter(isSessionId);
  // An id begins with the time at which its session began.
  for (const id of ids.sort().reverse()) {
    if (signal.aborted) return;
    const line = await findInLog(logOf(root, id), wanted, signal).catch(unreadable);
    if (line !== undefined) yield { id, line };
  }
}

async function findInLog(path: string, wanted: string, signal: AbortSignal): Promise<string | undefined> {
  let rest = '';
  for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: STRETCH, signal })) {
    const text: string = `${rest}${piece}`;
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    const found = findInLines(text.slice(0, end), wanted);
    // A log with a longer line cannot be opened.
    if (found !== undefined || rest.length > LONGEST_LINE) return found;
  }
  return undefined;
}

/** Taking lines apart and reading them as JSON is dear. A word has no character that is written in another way there. */
function findInLines(lines: string, wanted: string): string | undefined {
  const [word = ''] = wanted.match(/[\p{L}\p{N}]+/u) ?? [];
  if (!lines.toLowerCase().includes(word)) return undefined;
  for (const line of lines.split('\n')) {
    const found = line.toLowerCase().includes(word) ? findInLine(line, wanted) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInLine(line: string, wanted: string): string | undefined {
  for (const text of textsOf(readEvent(line))) {
    const at = text.toLowerCase().indexOf(wanted);
    if (at >= 0) return lineAround(text, at, wanted.length);
  }
  return undefined;
}

function textsOf(event: SessionEvent | undefined): readonly string[] {
  switch (event?.type) {
    case 'user':
    case 'text':
    case 'reasoning':
      return [event.content];
    case 'tool_call':
      return [inputText(event.input)];
    case 'tool_result':
      return [resultText(event.result)];
    case 'title':
      return [event.title];
    case 'error':
    case 'notice':
      return [event.message];
    default:
      return [];
  }
}

function lineAround(text: string, at: number, length: number): string {
  const start = text.lastIndexOf('\n', at) + 1;
  const end = text.indexOf('\n', at + length);
  const line = text.slice(start, end < 0 ? undefined : end);
  const from = Math.max(0, at - start - BEFORE);
  return `${from > 0 ? '…' : ''}${line.slice(from, from + LINE_LENGTH).trim()}`;
}

/** Not a log of ours, or nobody waits for it any more. */
function unreadable(): undefined {}
