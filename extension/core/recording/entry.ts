// The format of a recording: lines of JSON, in the order in which things happened.
import type { SessionInput } from '../session/session-tap.ts';

/**
 * The version of the format, in the first line of every recording. Since version 2, Harness masks secrets
 * that arrive in several pieces.
 */
export const RECORDING_VERSION = 2;

/** The first line of a recording. Each process that records the session writes its own. */
export interface RecordingHeader {
  readonly kind: 'recording';
  readonly version: number;
  readonly product: string;
  /** The path separator of the recording machine: `/` or a backslash. Absent in older recordings. */
  readonly separator?: string;
  /** The version of Node.js. */
  readonly node: string;
  /** The version of the session log's format. */
  readonly log: number;
  readonly session: string;
}

/** A value that `encode` returned. */
export type Plain = unknown;

interface Timed {
  /** Milliseconds since the session was opened, rounded to thousandths. */
  readonly at: number;
  /** Synchronous reads since the previous entry, by name. Each value has its number of reads in a row. */
  readonly read?: Readonly<Record<string, readonly (readonly [value: Plain, times: number])[]>>;
}

/** A process opened the session. It wrote the entries up to the next `open`. */
export interface Opening {
  readonly kind: 'open';
  /** `past`: the number of events in the log. `repairs`: what Harness repaired in it. */
  readonly past: number;
  readonly repairs: readonly string[];
  /** Harness's own folder. */
  readonly home: string;
  /** The names of the optional ports that the session had. */
  readonly has: readonly string[];
}

export type Entry = Timed &
  (
    | Opening
    /**
     * The session calls a port. `given` is the first half of the SHA-256 of the arguments. `loose` is the
     * same digest without the hashes in the arguments. It is present once Harness masked a secret, because a
     * replay computes other hashes for masked bytes.
     */
    | {
        readonly kind: 'start';
        readonly id: number;
        readonly name: string;
        readonly given: string;
        readonly loose?: string;
      }
    /** One piece of the result of call `id`. */
    | { readonly kind: 'piece'; readonly id: number; readonly value?: Plain }
    | { readonly kind: 'end'; readonly id: number; readonly value?: Plain; readonly error?: Plain }
    /**
     * A user of the session calls one of its methods. `told` is present if a listener made the call. It
     * counts the events and deltas that the session had emitted since it was opened.
     */
    | {
        readonly kind: 'input';
        readonly id: number;
        readonly name: SessionInput;
        readonly given: readonly Plain[];
        readonly told?: number;
      }
  );

export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;
