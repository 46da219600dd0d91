import { say } from '../../protocol/say.ts';
import type { Entry } from './entry.ts';

/** The first difference between a recording and what came out of it. */
export class Divergence extends Error {
  /** What was recorded next. */
  readonly entry: Entry | undefined;
  /** Of the event in question, as a unified diff; empty where it is not about one. */
  readonly diff: string;

  constructor(message: string, entry?: Entry, diff = '') {
    super(message);
    this.entry = entry;
    this.diff = diff;
  }
}

/** What JavaScript throws where a value is not what it has to be: `entry`, which was being played, cannot have been written so. */
export function damageAt(entry: Entry | undefined, error: unknown): unknown {
  const isDamage = [TypeError, RangeError, SyntaxError, DOMException].some((kind) => error instanceof kind);
  if (!isDamage) return error;
  const divergence = new Divergence(say('What is recorded here is damaged.'), entry);
  divergence.cause = error;
  return divergence;
}

/** The hunks of a unified diff. */
export type DiffOf = (before: string, after: string) => string;

/** Event `seq` as it was recorded and as it came out are not the same. */
export function differentEvent(seq: number, recorded: object, replayed: object, diffOf: DiffOf): Divergence {
  const [before = '', after = ''] = [recorded, replayed].map(
    (event) => `${JSON.stringify(event, null, 2)}\n`,
  );
  const fields = differentFields(recorded, replayed).join(', ');
  return new Divergence(
    say('Event {0} is another one than was recorded, in: {1}.', seq, fields),
    undefined,
    `--- recorded\n+++ replayed\n${diffOf(before, after)}`,
  );
}

function differentFields(one: object, other: object): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const textOf = (event: object, name: string) => JSON.stringify(Reflect.get(event, name));
  return [...names].filter((name) => textOf(one, name) !== textOf(other, name));
}

/** A recorded entry in one line, for people. */
export function describeEntry(entry: Entry | undefined): string {
  if (!entry) return say('the end of the recording');
  return JSON.stringify(entry).slice(0, 400);
}
