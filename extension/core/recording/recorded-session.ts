import type { SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { EventBuffer } from '../log/event-buffer.ts';
import { CHAIN_START, type ChainHead, hashLine } from '../log/hash-chain.ts';
import { Divergence } from './divergence.ts';
import type { Decoding } from './encode.ts';
import type { Entry, Opening, RecordingHeader } from './entry.ts';
import { looksLikeEvent } from './recording-lines.ts';

/** A recording and the log of its session. An implementation need not hold either in memory. */
export interface RecordedSession {
  readonly id: string;
  /**
   * Yields the recorded entries in order, from the beginning at each call. Each process's header comes first.
   */
  entries(): AsyncIterable<Entry | RecordingHeader>;
  readonly log: RecordedLog;
  readonly fetch: Decoding['fetch'];
}

/** The log in its file. */
export interface RecordedLog {
  /** The number of lines. */
  readonly length: number;
  /** Lines `first` to `last`, counted from 1, without line feeds. Fewer if the log ends earlier. */
  lines(first: number, last: number): Promise<readonly string[]>;
}

/** What one process recorded, from the time it opened the session until it closed it or died. */
export interface RecordedPart {
  /** The name that the session had when this part was recorded. */
  readonly id: string;
  readonly opening: Opening;
  /** The entries after the opening. The caller must read them before it asks for the next part. */
  readonly entries: AsyncIterator<Entry>;
}

export async function* recordedParts(recorded: RecordedSession): AsyncGenerator<RecordedPart> {
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
      // Skips the entries that the caller did not read.
      for await (const _entry of inPart);
    }
  } finally {
    await source.return?.();
  }
}

/** The state of the log when a process opened the session. */
export interface RecordedPast {
  /** The name of the session in the recording. */
  readonly id: string;
  /** The older events of a long log are elided. */
  readonly past: readonly SessionEvent[];
  readonly head: ChainHead;
  /** The name of the session in its log. It differs from `id` in a copy of the session. */
  readonly named: string;
}

/** The number of lines per read. A line may have up to 16 MB. */
const BATCH = 8;

/** Yields lines `first` to `last`, or up to the end of the log, in batches. */
async function* readEventBatches(
  log: RecordedLog,
  first: number,
  last: number,
): AsyncGenerator<readonly string[]> {
  for (let next = first; next <= last; ) {
    const lines = await log.lines(next, Math.min(next + BATCH - 1, last));
    if (lines.length === 0) return;
    yield lines;
    next += lines.length;
  }
}

/** Rejects with `Divergence` if the log is damaged or too short. */
export async function pastOf({ id, opening }: RecordedPart, log: RecordedLog): Promise<RecordedPast> {
  const events = new EventBuffer();
  let last = '';
  for await (const lines of readEventBatches(log, 1, opening.past)) {
    // In a copy of a session, every event has the name of the copy.
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

/** Returns the event in line `seq` of a log. Throws `Divergence` if the line is damaged. */
export function eventOf(line: string, seq: number): SessionEvent {
  try {
    const event: unknown = JSON.parse(line);
    // `looksLikeEvent` checked the fields that every event has.
    if (looksLikeEvent(event)) return event as SessionEvent;
  } catch {
    // Reported below.
  }
  throw damagedLine(seq);
}

export function damagedLine(seq: number): Divergence {
  return new Divergence(say('Line {0} of the recorded log is damaged.', seq));
}
