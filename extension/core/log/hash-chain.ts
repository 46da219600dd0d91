// The hash chain of a log. Each line carries the SHA-256 of the line before it, so that any change is
// detectable.
import { hash } from 'node:crypto';
import type { EventDraft, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { cutDraft } from './elide.ts';

/** Where the next event goes. */
export interface ChainHead {
  readonly seq: number;
  /** SHA-256 (hex) of the last line without its line feed; empty before the first. */
  readonly hash: string;
}

export const CHAIN_START: ChainHead = { seq: 0, hash: '' };

/** Bytes of the longest line of a log. Harness neither writes nor reads a longer one. */
export const LONGEST_LINE = 16 * 1024 * 1024;
/** UTF-8 bytes per UTF-16 code unit. */
const MOST_BYTES = 3;

export interface Link {
  readonly event: SessionEvent;
  /** The event as written in the file, without the line feed. */
  readonly line: string;
  readonly head: ChainHead;
}

/**
 * Links a draft to `head`. If it is too long for a line, cuts its long texts or its list of files. Throws if
 * it is still too long. `timestamp` is in milliseconds since the epoch.
 */
export function link(head: ChainHead, draft: EventDraft, session: string, timestamp: number): Link {
  const place = { timestamp, session, seq: head.seq + 1, prev: head.hash };
  const whole: SessionEvent = { ...draft, ...place };
  const text = JSON.stringify(whole);
  const event = isTooLong(text) ? { ...cutDraft(draft), ...place } : whole;
  const line = event === whole ? text : JSON.stringify(event);
  if (event !== whole && isTooLong(line))
    throw new Error(
      say('An event of type “{0}” was not written: it would take more than 16 MB in the log.', draft.type),
    );
  return { event, line, head: { seq: event.seq, hash: hashLine(line) } };
}

/** An event without its place in a log, as it was before `link`. */
export function unlinked(event: SessionEvent): EventDraft {
  const { seq: _seq, prev: _prev, session: _session, timestamp: _time, elided: _elided, ...draft } = event;
  // An event is a draft with its place in a log.
  return draft as EventDraft;
}

function isTooLong(line: string): boolean {
  return line.length > LONGEST_LINE / MOST_BYTES && new TextEncoder().encode(line).length > LONGEST_LINE;
}

export function hashLine(line: string | Uint8Array): string {
  return hash('sha256', line);
}
