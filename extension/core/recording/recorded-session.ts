import type { Decoding } from './coded.ts';
import type { Entry, Opening, RecordingHeader } from './entry.ts';

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

export async function* partsOf(recorded: RecordedSession): AsyncGenerator<Part> {
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
