import { compareLines } from '../base/diff/diff-lines.ts';
import { decodeText, encodeText, type TextFile } from '../base/text/encoding.ts';
import { splitLines, usualLineEnd } from '../base/text/lines.ts';

/**
 * Applies to `mine` every change from `base` to `theirs`: lines, line ends and encoding. Returns undefined
 * where both changed the same lines, or where one is not text.
 */
export function mergeFiles(base: Uint8Array, mine: Uint8Array, theirs: Uint8Array): Uint8Array | undefined {
  const texts = [base, mine, theirs].map(decodeText);
  const [old, own, other] = texts;
  if (!old || !own || !other) return undefined;
  const text = mergeTexts(old.text, own.text, other.text);
  if (text === undefined) return undefined;
  const isBytes = texts.some((each) => each?.encoding === 'latin1');
  const encodingOf = (each: TextFile) => (isBytes && isPlain(each) ? 'latin1' : each.encoding);
  return encodeText({ text, encoding: chooseOf(encodingOf(old), encodingOf(own), encodingOf(other)) });
}

/** Whether the text is ASCII, which is the same in every single-byte encoding. */
function isPlain({ text, encoding }: TextFile): boolean {
  return encoding === 'utf-8' && encodeText({ text, encoding })?.length === text.length;
}

/** The value of the side that changed it; `mine` where both did. */
export function chooseOf<Value>(base: Value, mine: Value, theirs: Value): Value {
  return mine === base ? theirs : mine;
}

function mergeTexts(base: string, mine: string, theirs: string): string | undefined {
  const [old, own, other] = [lined(base), lined(mine), lined(theirs)];
  if (!old.end || !own.end || !other.end)
    return joined(splitLines(base), splitLines(mine), splitLines(theirs), '');
  return joined(old.lines, own.lines, other.lines, chooseOf(old.end, own.end, other.end));
}

/**
 * `end` is the line end of every line; undefined where line ends differ. A text with a final line end has one
 * more line, an empty one.
 */
function lined(text: string) {
  const end = usualLineEnd(splitLines(text));
  const lines = text.split(end);
  const isEven = !lines.some((line) => line.includes('\n') || line.endsWith('\r'));
  return { lines, end: isEven ? end : undefined };
}

function joined(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  end: string,
): string | undefined {
  return mergeLines(base, mine, theirs)?.join(end);
}

/** Replaces the lines of the older text from `start` up to `end` (exclusive) with `lines`. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Changes of one or both sides, with no line between them that both kept. */
interface Region {
  readonly start: number;
  end: number;
  readonly mine: Change[];
  readonly theirs: Change[];
}

/**
 * Merges the changes of both sides into `base`. Returns undefined where they changed the same or adjacent
 * lines in different ways. Where one side made only part of the other's change, the result has the whole
 * change. For example, `mine` deletes `b`, and `theirs` deletes `a`, `b` and `c`: all three go. Takes little
 * time for any texts, because texts that differ too much count as completely changed.
 */
export function mergeLines(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): string[] | undefined {
  const merged: (readonly string[])[] = [];
  let from = 0;
  for (const region of regionsOf(changesOf(base, mine), changesOf(base, theirs))) {
    const lines = joinedIn(base, region);
    if (!lines) return undefined;
    merged.push(base.slice(from, region.start), lines);
    from = region.end;
  }
  return [...merged, base.slice(from)].flat();
}

function changesOf(base: readonly string[], other: readonly string[]): Change[] {
  const changes: Change[] = [];
  let at = 0;
  let open: Change | undefined;
  for (const { sign, lines } of compareLines(base, other)) {
    if (sign === ' ') {
      if (open) changes.push(open);
      open = undefined;
    } else {
      open ??= { start: at, end: at, lines: [] };
      open =
        sign === '-'
          ? { ...open, end: open.end + lines.length }
          : { ...open, lines: open.lines.concat(lines) };
    }
    if (sign !== '+') at += lines.length;
  }
  return open ? [...changes, open] : changes;
}

function regionsOf(mine: readonly Change[], theirs: readonly Change[]): Region[] {
  const sided = [
    ...mine.map((change) => ({ change, side: 'mine' as const })),
    ...theirs.map((change) => ({ change, side: 'theirs' as const })),
  ];
  const regions: Region[] = [];
  for (const { change, side } of sided.sort((one, other) => one.change.start - other.change.start)) {
    let region = regions.at(-1);
    if (!region || change.start > region.end) {
      region = { start: change.start, end: change.end, mine: [], theirs: [] };
      regions.push(region);
    }
    region.end = Math.max(region.end, change.end);
    region[side].push(change);
  }
  return regions;
}

function joinedIn(base: readonly string[], region: Region): readonly string[] | undefined {
  const [mine, theirs] = [linesIn(base, region, region.mine), linesIn(base, region, region.theirs)];
  if (region.mine.length === 0) return theirs;
  if (region.theirs.length === 0) return mine;
  const old = base.slice(region.start, region.end);
  if (isOnTheWay(mine, old, theirs)) return theirs;
  return isOnTheWay(theirs, old, mine) ? mine : undefined;
}

/**
 * Whether the edits from `from` to `lines` are a part of the edits from `from` to `to`. Deleting a line that
 * `to` replaces is not such a part.
 */
function isOnTheWay(lines: readonly string[], from: readonly string[], to: readonly string[]): boolean {
  const [done, whole] = [linesBySign(from, lines), linesBySign(from, to)];
  const fewer = ({ gone, come }: typeof done) => gone.length - come.length;
  if (fewer(done) > Math.max(0, fewer(whole))) return false;
  return isSubsequence(done.gone, whole.gone) && isSubsequence(done.come, whole.come);
}

function linesBySign(old: readonly string[], now: readonly string[]) {
  const parts = compareLines(old, now);
  const linesOf = (wanted: '-' | '+') => parts.flatMap(({ sign, lines }) => (sign === wanted ? lines : []));
  return { gone: linesOf('-'), come: linesOf('+') };
}

function isSubsequence(some: readonly string[], all: readonly string[]): boolean {
  let next = 0;
  for (const line of all) if (line === some[next]) next += 1;
  return next === some.length;
}

/** The lines of a region after the changes of one side. */
function linesIn(
  base: readonly string[],
  { start, end }: Region,
  changes: readonly Change[],
): readonly string[] {
  const lines: (readonly string[])[] = [];
  let from = start;
  for (const change of changes) {
    lines.push(base.slice(from, change.start), change.lines);
    from = change.end;
  }
  return [...lines, base.slice(from, end)].flat();
}
