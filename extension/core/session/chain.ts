// The hash chain of a log: each line carries the SHA-256 of the line before it, so that a change anywhere shows.
import { createHash } from 'node:crypto';
import type { EventDraft, SessionEvent } from '../../protocol/events.ts';

/** Where the next event goes. */
export interface ChainHead {
  readonly seq: number;
  /** SHA-256 (hex) of the last line without its line feed; empty before the first. */
  readonly hash: string;
}

export const CHAIN_START: ChainHead = { seq: 0, hash: '' };

export interface Link {
  readonly event: SessionEvent;
  /** The event as it stands in the file, without the line feed. */
  readonly line: string;
  readonly head: ChainHead;
}

/** Gives a draft its place behind `head`. `timestamp` in milliseconds since the epoch. */
export function link(head: ChainHead, draft: EventDraft, session: string, timestamp: number): Link {
  const event: SessionEvent = { ...draft, timestamp, session, seq: head.seq + 1, prev: head.hash };
  const line = JSON.stringify(event);
  return { event, line, head: { seq: event.seq, hash: hashLine(line) } };
}

export function hashLine(line: string | Uint8Array): string {
  return createHash('sha256').update(line).digest('hex');
}
