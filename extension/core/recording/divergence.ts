import { say } from '../../protocol/say.ts';
import type { Entry } from './entry.ts';

/** The first difference between a recording and its replay. */
export class Divergence extends Error {
  /** The recorded entry at which the replay differs. Undefined at the end of the recording. */
  readonly entry: Entry | undefined;
  /** A unified diff of the event that differs. Empty where the divergence concerns no event. */
  readonly diff: string;

  constructor(message: string, entry?: Entry, diff = '') {
    super(message);
    this.entry = entry;
    this.diff = diff;
  }
}

/**
 * Converts an error to a `Divergence` where the recorded data caused it. JavaScript throws these classes for
 * a value of an invalid shape, so the `entry` in play must be damaged. Returns any other error unchanged.
 */
export function damageAt(entry: Entry | undefined, error: unknown): unknown {
  const isDamage = [TypeError, RangeError, SyntaxError, DOMException].some((kind) => error instanceof kind);
  if (!isDamage) return error;
  const divergence = new Divergence(say('The recording is damaged here.'), entry);
  divergence.cause = error;
  return divergence;
}

/** Returns the hunks of a unified diff. */
export type DiffOf = (before: string, after: string) => string;

/** Describes an event `seq` whose recorded and replayed forms differ. */
export function differentEvent(seq: number, recorded: object, replayed: object, diffOf: DiffOf): Divergence {
  const [before = '', after = ''] = [recorded, replayed].map(
    (event) => `${JSON.stringify(event, null, 2)}\n`,
  );
  const fields = differentFields(recorded, replayed).join(', ');
  return new Divergence(
    say('Event {0} differs from the recorded one in: {1}.', seq, fields),
    undefined,
    `--- recorded\n+++ replayed\n${diffOf(before, after)}`,
  );
}

function differentFields(one: object, other: object): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const textOf = (event: object, name: string) => JSON.stringify(Reflect.get(event, name));
  return [...names].filter((name) => textOf(one, name) !== textOf(other, name));
}

/** Describes an entry in one line for the user. */
export function describeEntry(entry: Entry | undefined): string {
  if (!entry) return say('the end of the recording');
  return JSON.stringify(entry).slice(0, 400);
}
