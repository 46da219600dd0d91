// The state of one path at one time: its accepted side and its current side.
import type { FileState } from '../../protocol/events.ts';
import type { TextEncoding } from '../base/text/encoding.ts';
import { hasSameBytes } from '../checkpoints/file-state.ts';
import { chooseOf } from '../checkpoints/three-way-merge.ts';
import { cellsOf, type Line, linesOfSide, newLines, textsOf } from './reviewed-text.ts';
import type { TextContent } from './text-content.ts';
import { joinLines, type TextLines } from './text-content.ts';

/** One side of a review. */
export interface Side {
  readonly state: FileState;
  /** Undefined if the content is not text or is not stored. */
  readonly lines: readonly Line[] | undefined;
  /** The text that `lines` were cut from. Only the newest state has it, to save memory. */
  readonly content?: TextContent | undefined;
  readonly isEnded: boolean;
  readonly encoding: TextEncoding;
}

export interface PathState {
  /** The accepted side. After an edit by the user, only the mode in `state` is valid; see `lines`. */
  readonly base: Side;
  readonly now: Side;
  /** The user changed the agent's pending content, and Harness cannot tell the two apart. */
  readonly isMixed: boolean;
  /** Old path of a move by the agent that is pending. `base` is then the base of that path. */
  readonly from?: string | undefined;
  /** The path to which the agent moved the file, if its latest change here was that move. */
  readonly to?: string | undefined;
}

/** Drops the accepted side, because another path has it. */
export function withNothing(now: Side): PathState {
  const base = sideOf({ kind: 'absent' }, [], undefined);
  return { base: now.state.kind === 'absent' ? now : base, now, isMixed: false };
}

/** Drops the move. One path has the base: the old path if its base (`old`) contains it, else this one. */
export function withoutMove({ base, now, isMixed }: PathState, old: Side | undefined): PathState {
  const isThere = old !== undefined && holds(old, base);
  return { base: isThere ? sideOf({ kind: 'absent' }, [], undefined) : base, now, isMixed };
}

function holds(old: Side, base: Side): boolean {
  if (!base.lines) return hasSameBytes(old.state, base.state);
  const texts = new Map(old.lines?.map(({ id, text }) => [id, text]));
  return base.lines.every(({ id, text }) => texts.get(id) === text);
}

export function sideOf(
  state: FileState,
  lines: readonly Line[] | undefined,
  content: TextContent | undefined,
): Side {
  return {
    state,
    lines,
    content,
    isEnded: content?.isEnded ?? false,
    encoding: content?.encoding ?? 'utf-8',
  };
}

/** The user replaced the file with something else: nothing of the agent's is left. */
export function taken(now: FileState, content: TextContent | undefined, origin: string): PathState {
  const side = sideOf(now, content && newLines(content.lines, 'you', origin), content);
  return { base: side, now: side, isMixed: false };
}

/** The user wrote a file without comparable lines: it is theirs, unless its old content was pending. */
export function rewritten(
  state: PathState,
  now: Extract<FileState, { kind: 'file' }>,
  content: TextContent | undefined,
  origin: string,
): PathState {
  if (!hasOneContent(state)) return { ...state, now: sideOf(now, undefined, content), isMixed: true };
  const { now: side } = taken(now, content, origin);
  const mode = modeAfterEdit(state.base, state.now, side) ?? now.mode;
  return { ...state, base: mode === now.mode ? side : { ...side, state: { ...now, mode } }, now: side };
}

/** Used before the agent changes a mixed file again: its old content then counts as the user's. */
export function settled(state: PathState): PathState {
  return state.isMixed ? { ...state, base: state.now, isMixed: false } : state;
}

/** True if at most the mode or the path is pending. */
function hasOneContent({ base, now, isMixed }: PathState): boolean {
  if (isMixed) return false;
  if (base === now) return true;
  if (!base.lines || !now.lines) return !base.lines && !now.lines && hasSameBytes(base.state, now.state);
  const areSame = base.isEnded === now.isEnded && base.encoding === now.encoding;
  return areSame && textsOf(base.lines).join('\n') === textsOf(now.lines).join('\n');
}

export function baseAfterEdit(base: Side, old: Side, now: Side, lines: readonly Line[]): Side {
  if (base.state.kind !== 'file') return lines.length > 0 ? { ...now, lines } : base;
  const mode = modeAfterEdit(base, old, now) ?? base.state.mode;
  const encoding = chooseOf(old.encoding, now.encoding, base.encoding);
  // An empty text has no final line feed to compare.
  const isEnded = base.lines?.length === 0 ? now.isEnded : chooseOf(old.isEnded, now.isEnded, base.isEnded);
  return { state: { ...base.state, mode }, lines, isEnded, encoding };
}

function modeAfterEdit(base: Side, old: Side, now: Side): number | undefined {
  return chooseOf(modeOf(old), modeOf(now), modeOf(base));
}

/** The accepted lines after accepting `ids` (`+`), or the current lines after rejecting them (`-`). */
export function linesAfter(
  { base, now }: PathState,
  sign: '+' | '-',
  ids: readonly string[] | undefined,
): Line[] {
  const cells = cellsOf({ base: base.lines ?? [], now: now.lines ?? [] });
  const chosen = ids && new Set(ids);
  return linesOfSide(cells, sign, (id) => chosen?.has(id) ?? true);
}

/** Returns a copy of `lines` if they form the same text as `content`. */
export function ifEqual(lines: readonly Line[] | undefined, content: TextLines): Line[] | undefined {
  if (!lines) return undefined;
  const text = joinLines({ lines: textsOf(lines), isEnded: content.isEnded });
  return text === joinLines(content) ? [...lines] : undefined;
}

/** Drops the text of a state that is only stored, to save memory. */
export function withoutContent(state: PathState): PathState {
  const { content: _, ...now } = state.now;
  return { ...state, now };
}

export function keyOf(state: FileState): string {
  return state.kind === 'file' ? `${state.hash || state.size} ${state.mode}` : JSON.stringify(state);
}

/** Counts the lines of both sides, as an estimate of memory. */
export function lineCount({ base, now }: PathState): number {
  return (base.lines?.length ?? 0) + (now.lines?.length ?? 0);
}

/** Copies the state with new line objects. A line in both sides is one object in the copy too. */
export function copyOf(state: PathState, onCopied: (line: Line, copy: Line) => void): PathState {
  const copies = new Map<Line, Line>();
  const copied = (line: Line) => {
    const copy = copies.get(line) ?? { ...line };
    copies.set(line, copy);
    onCopied(line, copy);
    return copy;
  };
  const sideWith = (side: Side): Side => ({ ...side, lines: side.lines?.map(copied) });
  return { ...state, base: sideWith(state.base), now: sideWith(state.now) };
}

export function modeOf({ state }: Side): number | undefined {
  return state.kind === 'file' ? state.mode : undefined;
}
