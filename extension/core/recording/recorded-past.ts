import type { SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { CHAIN_START, type ChainHead, hashLine } from '../session/chain.ts';
import { HeldEvents } from '../session/held-events.ts';
import { Divergence } from './divergence.ts';
import { looksLikeEvent } from './line-shapes.ts';
import type { Part, RecordedLog } from './recorded-session.ts';

/** What was in the log when a session was opened. */
export interface RecordedPast {
  /** The session. */
  readonly id: string;
  /** The older ones of a long log are elided. */
  readonly past: readonly SessionEvent[];
  readonly head: ChainHead;
  /** The session by the name that its log has for it now: another one in a copy. */
  readonly named: string;
}

/** Lines that are read at once; each may hold 16 MB. */
const STRETCH = 8;

/** Lines `first` to `last` of a log, or to its end, a few at once. */
export async function* stretchesOf(
  log: RecordedLog,
  first: number,
  last: number,
): AsyncGenerator<readonly string[]> {
  for (let next = first; next <= last; ) {
    const lines = await log.lines(next, Math.min(next + STRETCH - 1, last));
    if (lines.length === 0) return;
    yield lines;
    next += lines.length;
  }
}

/** Rejects with `Divergence` where the log is damaged, or too short. */
export async function pastOf({ id, opening }: Part, log: RecordedLog): Promise<RecordedPast> {
  const events = new HeldEvents();
  let last = '';
  for await (const lines of stretchesOf(log, 1, opening.past)) {
    // In a copy of a session, all have the name of that.
    for (const line of lines)
      events.push({ ...eventOf(line, events.all.length + 1), session: id }, line.length);
    last = lines.at(-1) ?? '';
  }
  const count = events.all.length;
  if (count < opening.past) throw new Divergence(say('The recorded log ends with event {0}.', count));
  const past = events.all;
  const [first] = await log.lines(1, 1);
  return {
    id,
    named: first === undefined ? id : eventOf(first, 1).session,
    past,
    head: { seq: past.at(-1)?.seq ?? 0, hash: last === '' ? CHAIN_START.hash : hashLine(last) },
  };
}

/** The event in line `seq` of a log. Throws `Divergence` for a damaged one. */
export function eventOf(line: string, seq: number): SessionEvent {
  try {
    const event: unknown = JSON.parse(line);
    // A line of a log that was written before.
    if (looksLikeEvent(event)) return event as SessionEvent;
  } catch {
    // Told below.
  }
  throw damagedLine(seq);
}

export function damagedLine(seq: number): Divergence {
  return new Divergence(say('Line {0} of the recorded log is damaged.', seq));
}
