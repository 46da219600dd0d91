// Writes the new text the way the file writes its own, where the model's old text was not exact.
import { compareLines } from '../../base/diff/diff-lines.ts';
import { lineEndOf, splitLines, withoutLineEnd } from '../../base/text/lines.ts';
import { plainTypography } from './find-text.ts';
import { indentationShift } from './indentation-shift.ts';

/** The text at the place, what the model took it for, and what it wants there instead. */
interface Replacement {
  readonly found: string;
  readonly wanted: string;
  readonly next: string;
  /** `\r\n` if most lines of the file end so. */
  readonly lineEnd: string;
  /** The whole text of the file. */
  readonly file: string;
}

/** The new text for the place. Lines that the model did not change keep the file's own characters. */
export function adaptReplacement(given: Replacement): string {
  const replacement = withoutMissingEnd(given);
  const { found, wanted, next, lineEnd } = replacement;
  const foundLines = splitLines(found);
  const adapt = adapterOf(replacement);
  const lines: string[] = [];
  let at = 0;
  let removed: string[] = [];
  for (const { sign, lines: part } of compareLines(keysOf(wanted), keysOf(next))) {
    const own = sign === '+' ? [] : foundLines.slice(at, at + part.length);
    at += own.length;
    if (sign === ' ') lines.push(...own);
    if (sign === '+') {
      const isPaired = removed.length === part.length;
      lines.push(...part.map((line, index) => adapt(line, isPaired ? removed[index] : undefined)));
    }
    removed = sign === '-' ? own : [];
  }
  return joined(lines, lineEnd, next.endsWith('\n'));
}

/** The file ends within the place, and its last line has no end. */
function withoutMissingEnd({ found, wanted, next, ...rest }: Replacement): Replacement {
  if (found.endsWith('\n') || !wanted.endsWith('\n')) return { found, wanted, next, ...rest };
  return { found, wanted: wanted.slice(0, -1), next: next.replace(/\r?\n$/, ''), ...rest };
}

function keysOf(text: string): string[] {
  return splitLines(text).map((line) => line.trimEnd());
}

/** Lines of the file keep their own line ends. */
function joined(lines: readonly string[], lineEnd: string, hasEnd: boolean): string {
  return lines
    .map((line, index) => {
      if (index === lines.length - 1 && !hasEnd) return withoutLineEnd(line);
      return lineEndOf(line) === '' ? line + lineEnd : line;
    })
    .join('');
}

/** Changes a line of the model; `old` is the line of the file in its place, if there is one. */
function adapterOf(replacement: Replacement): (line: string, old: string | undefined) => string {
  const shift = indentationShift(replacement.found, replacement.wanted);
  const toFile = typographyOf(replacement);
  return (line, old) => {
    const own = toFile(shift(line));
    return old === undefined ? own : withCharactersOf(withoutLineEnd(old), own);
  };
}

/** The characters of the file where the line begins and ends like the one that it replaces. */
function withCharactersOf(old: string, line: string): string {
  const [plainOld, plainLine] = [plainTypography(old), plainTypography(line)];
  const most = Math.min(old.length, line.length);
  let start = 0;
  while (start < most && plainOld[start] === plainLine[start]) start += 1;
  let end = 0;
  while (end < most - start && plainOld.at(-1 - end) === plainLine.at(-1 - end)) end += 1;
  return old.slice(0, start) + line.slice(start, line.length - end) + old.slice(old.length - end);
}

const QUOTES = /^['"]$/;

/**
 * Replaces the typographic characters of the model for which the file has plain ones. A model that writes one
 * quote so writes all of them so.
 */
function typographyOf({ found, wanted, file }: Replacement): (line: string) => string {
  const plain = new Map<string, string>();
  const [foundLines, wantedLines] = [found.split('\n'), wanted.split('\n')];
  for (const [index, line] of wantedLines.entries()) {
    const own = (foundLines[index] ?? '').trimStart();
    for (const [at, character] of [...line.trimStart()].entries())
      if (plainTypography(character) !== character && own[at] === plainTypography(character))
        plain.set(character, own[at]);
  }
  const hasQuote = [...plain.values()].some((character) => QUOTES.test(character));
  const toPlain = (character: string) => {
    const known = plain.get(character);
    if (known !== undefined || !hasQuote) return known ?? character;
    const own = plainTypography(character);
    return QUOTES.test(own) && !file.includes(character) ? own : character;
  };
  return (line) => [...line].map(toPlain).join('');
}
