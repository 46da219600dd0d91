import { crc32 } from 'node:zlib';
import * as z from 'zod/mini';
import { advanceTitle, NO_TITLE, titleOf } from '../../core/log/session-title.ts';
import type { SessionSummary } from '../../core/ports/session-store.ts';
import { advanceHead, stateOf } from '../../core/view/session-head.ts';
import type { EventType, SessionEvent } from '../../protocol/events.ts';
import { emptyHead, head } from '../../protocol/head.ts';
import { readRange } from '../fs/read-file.ts';
import { type LogLine, logLines } from '../log/log-lines.ts';
import { readEvent } from '../log/read-record.ts';

/** How Harness begins the line of an event. */
const TYPE = /^\{"type":"(\w+)"/;
/** Bytes that cover the longest type. */
const TYPE_BYTES = 40;
/** Bytes before the end of the summarized part that must be unchanged. */
const TAIL_BYTES = 4096;
/**
 * Types of short events that a summary needs. Of most other events, which are most of a log, only the type is
 * read.
 */
const NEEDED = new Set<string>([
  'session_started',
  'imported',
  'user',
  'turn_started',
  'permission_request',
  'question',
  'permission',
  'title',
  'turn_ended',
] satisfies EventType[]);

/** What a list needs of a log, up to a line. Harness continues it where the log has grown. */
export const logDigest = z.object({
  /** Bytes of the log that it covers. They end with a line feed. */
  bytes: z.number(),
  /** CRC-32 of the last `TAIL_BYTES` of them. */
  tail: z.number(),
  title: z.object({ name: z.optional(z.string()), first: z.string(), hasImages: z.boolean() }),
  prompts: z.number(),
  cwd: z.string(),
  /** Timestamp of the last event that is not a `title` event, in milliseconds since the epoch. */
  updated: z.number(),
  head,
});
export type LogDigest = z.infer<typeof logDigest>;

const EMPTY: LogDigest = {
  bytes: 0,
  tail: 0,
  title: NO_TITLE,
  prompts: 0,
  cwd: '',
  updated: 0,
  head: emptyHead,
};

/**
 * Digests the log at `path`. Continues `known` if the log has only grown since, and reads the whole log
 * otherwise. Also returns the list entry of session `id`, where `state` is what the writer was doing at the
 * end of the log.
 */
export async function summarizeLog(
  id: string,
  path: string,
  known: LogDigest | undefined,
): Promise<{ summary: SessionSummary; digest: LogDigest }> {
  const start = known && (await hasTail(path, known)) ? known : EMPTY;
  const fold = new DigestFold(start);
  for await (const lines of logLines(path, { from: start.bytes })) {
    for (const line of lines) fold.take(line);
    fold.keep();
  }
  const tail = await tailOf(path, fold.bytes);
  return { summary: { id, ...fold.summary() }, digest: { ...fold.digest(), tail } };
}

async function hasTail(path: string, { bytes, tail }: LogDigest): Promise<boolean> {
  return bytes > 0 && (await tailOf(path, bytes)) === tail;
}

async function tailOf(path: string, end: number): Promise<number> {
  let sum = 0;
  if (end === 0) return sum;
  for await (const piece of readRange(path, Math.max(0, end - TAIL_BYTES), end)) sum = crc32(piece, sum);
  return sum;
}

class DigestFold {
  bytes: number;
  #now: LogDigest;
  /** The digest before a last line without a line feed, which its writer may complete later. */
  #ended: LogDigest | undefined;
  /** The last line that is not a `title` event. */
  #last: Buffer | undefined;

  constructor(start: LogDigest) {
    this.#now = start;
    this.bytes = start.bytes;
  }

  take({ bytes, at, length, isEnded }: LogLine): void {
    if (isEnded) this.bytes = at + length + 1;
    else this.#ended = this.digest();
    const type = TYPE.exec(bytes.toString('latin1', 0, TYPE_BYTES))?.[1];
    if (type !== 'title') this.#last = bytes;
    if (type !== undefined && !NEEDED.has(type) && !this.#isAnswer(type)) return;
    const event = readEvent(bytes);
    if (event) this.#now = advance(this.#now, event);
  }

  /** Copies the last line, because `logLines` reuses its buffer. */
  keep(): void {
    this.#last = this.#last && Buffer.from(this.#last);
  }

  /** Covers the lines that end with a line feed. */
  digest(): LogDigest {
    return this.#ended ?? this.#dated();
  }

  summary(): Omit<SessionSummary, 'id'> {
    const { title, cwd, updated, prompts, head: end } = this.#dated();
    return { title: titleOf(title) || 'New session', cwd, updated, prompts, state: stateOf(end) };
  }

  #dated(): LogDigest {
    const updated = this.#last ? (readEvent(this.#last)?.timestamp ?? 0) : this.#now.updated;
    return { ...this.#now, bytes: this.bytes, updated };
  }

  /** A tool result settles the open approval of its call. */
  #isAnswer(type: string): boolean {
    return type === 'tool_result' && this.#now.head.approvals.length > 0;
  }
}

function advance(digest: LogDigest, event: SessionEvent): LogDigest {
  return {
    ...digest,
    title: advanceTitle(digest.title, event),
    prompts: digest.prompts + (event.type === 'user' ? 1 : 0),
    cwd: event.type === 'session_started' || event.type === 'imported' ? event.cwd : digest.cwd,
    head: advanceHead(digest.head, event),
  };
}
