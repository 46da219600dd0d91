// The pending changes of one file, and the results of accepting or rejecting some of them.
import type { FileState } from '../../protocol/events.ts';
import { encodeText, type TextEncoding } from '../base/text/encoding.ts';
import { isSameState } from '../checkpoints/file-state.ts';
import { modeOf, type PathState, type Side } from './path-state.ts';
import { type Cell, cellsOf, type Line, type LineAuthor, linesOfSide, textsOf } from './reviewed-text.ts';
import { joinLines, shownLine } from './text-content.ts';

/** Consecutive lines that differ. */
export interface Hunk {
  readonly cells: readonly PendingCell[];
  /** Index of its first line in the accepted and in the current text; else index of the next line. */
  readonly baseLine: number;
  readonly nowLine: number;
  readonly added: number;
  readonly removed: number;
  /** Who made the change, without duplicates. */
  readonly authors: readonly LineAuthor[];
}

export interface PendingCell extends Cell {
  readonly sign: '-' | '+';
  /** Index in the accepted text (`-`) or in the current text (`+`). */
  readonly index: number;
}

export interface FileReview {
  readonly path: string;
  readonly base: Side;
  readonly now: Side;
  readonly isMixed: boolean;
  /** The path from which the agent moved the file; `base` is then the accepted side of that path. */
  readonly from: string | undefined;
  /** Undefined if the file can only be reviewed as a whole. */
  readonly cells: readonly Cell[] | undefined;
  readonly hunks: readonly Hunk[];
  readonly isPending: boolean;
}

/** Target state of a file: what to write, or what counts as accepted. */
export interface Outcome {
  readonly state: Exclude<FileState, { kind: 'file' }> | { readonly kind: 'file'; readonly mode: number };
  /** New content of a file. Without it the content is already right, and only the mode may change. */
  readonly bytes?: Uint8Array;
}

/** A file with changes to reject; without `ids`, all of them. */
export interface Rejected {
  readonly review: FileReview;
  readonly ids?: ReadonlySet<string> | undefined;
  /** Directories above it that the session created, innermost first; they go with their last file. */
  readonly made?: readonly string[] | undefined;
  /** Directories above its old path that the session removed, outermost first; they come back with it. */
  readonly gone?: readonly GoneDirectory[] | undefined;
}

export interface GoneDirectory {
  readonly path: string;
  readonly mode: number;
}

export function fileReview(
  path: string,
  { base, now, isMixed, from }: PathState,
  remover: (line: Line) => LineAuthor | undefined,
): FileReview {
  const isText = base.lines !== undefined && now.lines !== undefined && encodingOf(base, now) !== undefined;
  const cells = isText ? cellsOf({ base: base.lines, now: now.lines }) : undefined;
  const hunks = cells ? hunksOf(cells, remover) : [];
  const isOther = base !== now && !isSameState(base.state, now.state);
  const differs = cells ? hunks.length > 0 || isOtherKind(base, now) : isOther;
  const isPending = from !== undefined || (differs && !isDirectory(base, now));
  return { path, base, now, isMixed, from, cells, hunks, isPending };
}

export function idsOf(cells: readonly PendingCell[]): ReadonlySet<string> {
  return new Set(cells.map(({ line }) => line.id));
}

/** The ids of all pending lines. */
export function pendingIds({ hunks }: Pick<FileReview, 'hunks'>): ReadonlySet<string> {
  return idsOf(hunks.flatMap(({ cells }) => cells));
}

/** The accepted text after the user also accepts these lines. */
export function acceptedLines(review: FileReview, ids: ReadonlySet<string>): Outcome {
  return outcome(
    review.base,
    review.now,
    linesOfSide(review.cells ?? [], '+', (id) => ids.has(id)),
  );
}

/** The current text after the user rejects these lines. */
export function withoutLines(review: FileReview, ids: ReadonlySet<string>): Outcome {
  return outcome(
    review.now,
    review.base,
    linesOfSide(review.cells ?? [], '-', (id) => ids.has(id)),
  );
}

/** The bytes of the accepted side; undefined if it is not text. */
export function baseBytes({ base }: FileReview): Uint8Array | undefined {
  return base.lines && encode(base.lines, base.isEnded, base.encoding);
}

/** Gives `from` the text `lines`. If `lines` equal those of `to`, the final line feed follows `to` too. */
function outcome(from: Side, to: Side, lines: readonly Line[]): Outcome {
  const isAny = [from, to].some(({ state }) => state.kind === 'absent');
  if (lines.length === 0 && isAny) return { state: { kind: 'absent' } };
  const isReached = hasSameTexts(lines, to.lines ?? []);
  const isEmptyEnd = shownLine(lines.at(-1)?.text ?? 'x') === '';
  const isEnded = isEmptyEnd || (isReached || from.lines?.length === 0 ? to : from).isEnded;
  const mode = modeOf(from) ?? modeOf(to) ?? 0o644;
  return { state: { kind: 'file', mode }, bytes: encode(lines, isEnded, encodingOf(from, to) ?? 'utf-8') };
}

/** Directories need no review of their own, because they come and go with their files. */
function isDirectory(...sides: readonly Side[]): boolean {
  return (
    sides.every(({ state: { kind } }) => kind === 'directory' || kind === 'absent') &&
    sides.some(({ state: { kind } }) => kind === 'directory')
  );
}

function encode(lines: readonly Line[], isEnded: boolean, encoding: TextEncoding): Uint8Array {
  const bytes = encodeText({ text: joinLines({ lines: textsOf(lines), isEnded }), encoding });
  if (!bytes) throw new Error(`these lines cannot be written as ${encoding}`);
  return bytes;
}

function hasSameTexts(a: readonly Line[], b: readonly Line[]): boolean {
  return a.length === b.length && a.every(({ text }, index) => text === b[index]?.text);
}

function isOtherKind(base: Side, now: Side): boolean {
  const isOtherEnd = base.lines?.length !== 0 && now.lines?.length !== 0 && base.isEnded !== now.isEnded;
  return base.state.kind !== now.state.kind || modeOf(base) !== modeOf(now) || isOtherEnd;
}

/** An encoding that can represent the lines of both sides; undefined if there is none. */
function encodingOf(base: Side, now: Side): TextEncoding | undefined {
  if (base.encoding === now.encoding || base.state.kind === 'absent') return now.encoding;
  if (now.state.kind === 'absent') return base.encoding;
  const both = [base, now];
  const latin = both.some(({ encoding }) => encoding === 'latin1');
  const other = both.find(({ encoding }) => encoding === 'utf-8');
  return latin && other && isAscii(other) ? 'latin1' : undefined;
}

function isAscii({ lines = [] }: Side): boolean {
  return lines.every(({ text }) => /^[\0-\x7f]*$/.test(text));
}

function hunksOf(cells: readonly Cell[], remover: (line: Line) => LineAuthor | undefined): Hunk[] {
  const hunks: Hunk[] = [];
  let [base, now] = [0, 0];
  let open: { cells: PendingCell[]; baseLine: number; nowLine: number } | undefined;
  const close = () => {
    if (open) hunks.push(toHunk(open, remover));
    open = undefined;
  };
  for (const { sign, line } of cells) {
    if (sign === ' ') close();
    else {
      open ??= { cells: [], baseLine: base, nowLine: now };
      open.cells.push({ sign, line, index: sign === '+' ? now : base });
    }
    if (sign !== '+') base += 1;
    if (sign !== '-') now += 1;
  }
  close();
  return hunks;
}

function toHunk(
  open: Pick<Hunk, 'cells' | 'baseLine' | 'nowLine'>,
  remover: (line: Line) => LineAuthor | undefined,
): Hunk {
  const authorOf = ({ sign, line }: Cell) => (sign === '+' ? line.author : (remover(line) ?? 'before'));
  const count = (sign: Cell['sign']) => open.cells.filter((cell) => cell.sign === sign).length;
  return {
    ...open,
    added: count('+'),
    removed: count('-'),
    authors: [...new Set(open.cells.map(authorOf))].filter((author) => author !== 'before'),
  };
}
