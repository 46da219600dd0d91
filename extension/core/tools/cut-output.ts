// Where the output of a command may be cut: neither within a terminal code, whose rest would be read as text, nor within
// a character.
import { TERMINAL_CODE } from './strip-terminal-codes.ts';

/** Characters of a code; one that is longer may be cut. */
const LONGEST_CODE = 16_000;
const introducers = '\x1b\x90\x98\x9b\x9d\x9e\x9f';
const codeHere = new RegExp(TERMINAL_CODE, 'y');

/** The last place up to `index` where `output` may be cut. */
export function cutBefore(output: string, index: number): number {
  const code = codeAround(output, index);
  // What ends a code begins as a code of its own.
  if (code) return cutBefore(output, code.start);
  return splitsCharacter(output, index) ? index - 1 : index;
}

/** The first place from `index` on where `output` may be cut. */
export function cutAfter(output: string, index: number): number {
  const end = codeAround(output, index)?.end ?? index;
  return splitsCharacter(output, end) ? end + 1 : end;
}

/** The code that begins before `index` and ends behind it. */
function codeAround(output: string, index: number): { start: number; end: number } | undefined {
  let start = index - 1;
  const first = Math.max(0, index - LONGEST_CODE);
  while (start >= first && !introducers.includes(output.charAt(start))) start -= 1;
  if (start < first) return undefined;
  codeHere.lastIndex = start;
  const end = start + (codeHere.exec(output)?.[0].length ?? 0);
  return end > index ? { start, end } : undefined;
}

function splitsCharacter(text: string, index: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(index - 1, 0), index + 1));
}
