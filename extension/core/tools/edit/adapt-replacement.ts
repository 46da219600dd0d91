// Writes the new text the way the file writes its own, where the model's old text was not exact.
import { compareLines } from '../../base/diff/diff-lines.ts';
import { lineEndOf, splitLines, withoutLineEnd } from '../../base/text/lines.ts';
import { indentationPairs, leadingSpace, plainTypography } from './find-text.ts';

/** The text at the place, what the model took it for, and what it wants there instead. */
interface Replacement {
  readonly found: string;
  readonly wanted: string;
  readonly next: string;
  /** `\r\n` if most lines of the file end so. */
  readonly lineEnd: string;
}

/** The new text for the place. Lines that the model did not change keep the file's own characters. */
export function adaptReplacement(given: Replacement): string {
  const { found, wanted, next, lineEnd } = withoutMissingEnd(given);
  const foundLines = splitLines(found);
  const adapt = adapterOf(found, wanted);
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
function adapterOf(found: string, wanted: string): (line: string, old: string | undefined) => string {
  const shift = indentationShift(found, wanted);
  const toFile = typographyOf(found, wanted);
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

/** Replaces the typographic characters of the model for which the file has plain ones. */
function typographyOf(found: string, wanted: string): (line: string) => string {
  const plain = new Map<string, string>();
  const [foundLines, wantedLines] = [found.split('\n'), wanted.split('\n')];
  for (const [index, line] of wantedLines.entries()) {
    const own = (foundLines[index] ?? '').trimStart();
    for (const [at, character] of [...line.trimStart()].entries())
      if (plainTypography(character) !== character && own[at] === plainTypography(character))
        plain.set(character, own[at]);
  }
  return (line) => [...line].map((character) => plain.get(character) ?? character).join('');
}

/** Gives a line of the model the indentation that the file has for it. */
function indentationShift(found: string, wanted: string): (line: string) => string {
  const pairs = indentationPairs(found, wanted);
  if (pairs.every(([from, to]) => from === to)) return (line) => line;
  return (line) => {
    const own = leadingSpace(line);
    return line.trim() === '' ? '' : shifted(own, pairs) + line.slice(own.length);
  };
}

type Pairs = ReturnType<typeof indentationPairs>;

function shifted(own: string, pairs: Pairs): string {
  const known = pairs.filter(([from]) => own.startsWith(from)).sort(([a], [b]) => b.length - a.length)[0];
  if (known) return known[1] + converted(own.slice(known[0].length), pairs);
  // Shallower than all known lines.
  const [from = '', to = ''] = pairs.toSorted(([a], [b]) => a.length - b.length)[0] ?? [];
  const less = from.length - own.length;
  const step = converted(from.slice(0, less), pairs).length;
  return to.slice(0, Math.max(0, to.length - step));
}

/** Further indentation, in tabs or spaces as the file has them. */
function converted(rest: string, pairs: Pairs): string {
  for (const [from, to] of pairs) {
    if (from.length === 0 || to.length === 0) continue;
    const isToTabs = /^ +$/.test(from) && /^\t+$/.test(to);
    if (isToTabs) return rest.replaceAll(' '.repeat(Math.max(1, Math.round(from.length / to.length))), '\t');
    const isToSpaces = /^\t+$/.test(from) && /^ +$/.test(to);
    if (isToSpaces)
      return rest.replaceAll('\t', ' '.repeat(Math.max(1, Math.round(to.length / from.length))));
  }
  return rest;
}
