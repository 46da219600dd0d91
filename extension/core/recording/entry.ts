// What a recording is made of: lines of JSON, in the order in which things happened.
import type { SessionInput } from '../session/session-tap.ts';

/** Version of the format, written into the first line of every recording. Since 2, secrets that come in pieces are hidden. */
export const RECORDING_VERSION = 2;

/** The first line. */
export interface RecordingHeader {
  readonly kind: 'recording';
  readonly version: number;
  readonly product: string;
  /** What stands between the names in its paths: `/`, or a backslash; missing in older ones, where it is not known. */
  readonly separator?: string;
  /** Of Node.js. */
  readonly node: string;
  /** Version of the session's log. */
  readonly log: number;
  readonly session: string;
}

/** Values as `encode` writes them. */
export type Plain = unknown;

interface Timed {
  /** Milliseconds since the session was opened, without fractions below a thousandth. */
  readonly at: number;
  /** What was read at once since the entry before, by the name of what was read: values, and how often in a row. */
  readonly read?: Readonly<Record<string, readonly (readonly [value: Plain, times: number])[]>>;
}

/** A process has opened the session. What follows is its part of the recording, until the next of these. */
export interface Opening {
  readonly kind: 'open';
  /** Events that were in the log, and what had to be mended in it. */
  readonly past: number;
  readonly repairs: readonly string[];
  /** Harness's own folder. */
  readonly home: string;
  /** Of the ports that a session may do without, those that it had. */
  readonly has: readonly string[];
}

export type Entry = Timed &
  (
    | Opening
    /**
     * A port is called. `given` is the SHA-256 of its arguments, its first half; `loose` that without the hashes in them,
     * once a secret was hidden: of what holds one, a playback has other hashes.
     */
    | {
        readonly kind: 'start';
        readonly id: number;
        readonly name: string;
        readonly given: string;
        readonly loose?: string;
      }
    /** A part of what call `id` gives. */
    | { readonly kind: 'piece'; readonly id: number; readonly value?: Plain }
    | { readonly kind: 'end'; readonly id: number; readonly value?: Plain; readonly error?: Plain }
    /**
     * Somebody does something with the session. `told`: it was done by a listener, when so many events and deltas had been
     * told since the session was opened.
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
