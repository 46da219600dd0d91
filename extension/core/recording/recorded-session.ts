import type { SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { EventBuffer } from '../log/event-buffer.ts';
import { CHAIN_START, type ChainHead, hashLine } from '../log/hash-chain.ts';
import { Divergence } from './divergence.ts';
import type { Decoding } from './encode.ts';
import type { Entry, Opening, RecordingHeader } from './entry.ts';
import { looksLikeEvent } from './recording-lines.ts';

/** A recording with the log that was written meanwhile. Nothing of it need be in memory. */
export interface RecordedSession {
  readonly id: string;
  /** What was recorded, in its order, from the beginning each time: before what a process has recorded stands its header. */
  entries(): AsyncIterable<Entry | RecordingHeader>;
  readonly log: RecordedLog;
  readonly fetch: Decoding['fetch'];
}

/** A log as it stands in its file. */
export interface RecordedLog {
  /** How many lines it has. */
  readonly length: number;
  /** Lines `first` to `last`, by their numbers from 1, without line feeds; fewer where it ends before. */
  lines(first: number, last: number): Promise<readonly string[]>;
}

/** What one process has recorded, from when it opened the session until it closed it or died. */
export interface Part {
  /** The session, by the name that it had then. */
  readonly id: string;
  readonly opening: Opening;
  /** What came then. To be read before the next part. */
  readonly entries: AsyncIterator<Entry>;
}

export async function* recordedParts(recorded: RecordedSession): AsyncGenerator<Part> {
  const source = recorded.entries()[Symbol.asyncIterator]();
  let { id } = recorded;
  let next = await source.next();
  const entries = async function* (): AsyncGenerator<Entry> {
    for (next = await source.next(); !next.done; next = await source.next()) {
      if (next.value.kind === 'recording' || next.value.kind === 'open') return;
      yield next.value;
    }
  };
  try {
    while (!next.done) {
      const { value } = next;
      if (value.kind === 'recording') id = value.session;
      if (value.kind !== 'open') {
        next = await source.next();
        continue;
      }
      const inPart = entries();
      yield { id, opening: value, entries: inPart };
      // What nobody has asked for.
      for await (const _entry of inPart);
    }
  } finally {
    await source.return?.();
  }
}

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
async function* readEventBatches(
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
  const events = new EventBuffer();
  let last = '';
  for await (const lines of readEventBatches(log, 1, opening.past)) {
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
