import { PatternError, TOO_BIG } from './pattern-error.ts';
import type { Reader } from './reader.ts';

/** RE_DUP_MAX of the GNU C library. */
const MOST_REPEATS = 0x7fff;

const BAD_CONTENT = 'Invalid content of \\{\\}';

export interface Interval {
  readonly minimum: number;
  /** Undefined: without end. */
  readonly maximum: number | undefined;
}

/** What follows a `\{`: `m\}`, `m,\}`, `m,n\}`, and as GNU has it `,n\}` and `,\}`. */
export function parseInterval(reader: Reader): Interval {
  const from = reader.takeDigits();
  const comma = reader.take(',');
  const to = comma ? reader.takeDigits() : from;
  requireEnd(reader);
  if (from === '' && !comma) throw new PatternError(BAD_CONTENT);
  return checked(Number(from), to === '' ? undefined : Number(to));
}

function requireEnd(reader: Reader): void {
  if (reader.take('\\}')) return;
  while (!reader.atEnd && reader.peek() !== ',' && !reader.startsWith('\\}')) reader.next();
  throw new PatternError(reader.atEnd ? 'Unmatched \\{' : BAD_CONTENT);
}

function checked(minimum: number, maximum: number | undefined): Interval {
  if (maximum !== undefined && maximum < minimum) throw new PatternError(BAD_CONTENT);
  if ((maximum ?? minimum) > MOST_REPEATS) throw new PatternError(TOO_BIG);
  return { minimum, maximum };
}
