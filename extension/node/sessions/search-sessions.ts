// Searches the logs of all sessions, one after the other, newest first. The caller sees the first results
// immediately, and can stop at any time.
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { LONGEST_LINE } from '../../core/log/hash-chain.ts';
import { inputText, resultText } from '../../core/view/tool-text.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { readEvent } from '../log/read-record.ts';
import { isSessionId, logOf } from '../log/session-files.ts';

/** A match for the query in a session. */
export interface SessionMatch {
  readonly id: string;
  /** The matching line, cut to `LINE_LENGTH` characters. */
  readonly line: string;
}

/** Bytes per read of a log. */
const CHUNK_BYTES = 1 << 20;
/** Characters of a line that are shown. At most `BEFORE` of them precede the match. */
const LINE_LENGTH = 120;
const BEFORE = 30;

/**
 * Yields the first match in each session below `root`, in messages, tool calls, tool results and titles. Case
 * does not count.
 */
export async function* searchSessions(
  root: string,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<SessionMatch> {
  const wanted = query.trim().toLowerCase();
  const ids = ((await ifPresent(readdir(root))) ?? []).filter(isSessionId);
  // Ids sort by age, because an id begins with the time at which its session began.
  for (const id of ids.sort().reverse()) {
    if (signal.aborted) return;
    const line = await findInLog(logOf(root, id), wanted, signal).catch(unreadable);
    if (line !== undefined) yield { id, line };
  }
}

async function findInLog(path: string, wanted: string, signal: AbortSignal): Promise<string | undefined> {
  let rest = '';
  for await (const piece of createReadStream(path, {
    encoding: 'utf8',
    highWaterMark: CHUNK_BYTES,
    signal,
  })) {
    const text: string = `${rest}${piece}`;
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    const found = findInLines(text.slice(0, end), wanted);
    // Harness cannot open a log with a longer line.
    if (found !== undefined || rest.length > LONGEST_LINE) return found;
  }
  return undefined;
}

/**
 * Looks for the query's first word before it parses a line, because splitting and parsing are slow. JSON does
 * not escape letters and digits, so the word appears unchanged.
 */
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

/** Ignores an error: the file is not a Harness log, or the caller aborted. */
function unreadable(): undefined {}
