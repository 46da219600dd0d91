// What is known of one path at a time: what is accepted, and what is there.
import type { FileState } from '../../protocol/events.ts';
import type { Encoding } from '../base/text/encoding.ts';
import { hasSameBytes } from '../checkpoints/file-state.ts';
import { chooseOf } from '../checkpoints/three-way-merge.ts';
import { cellsOf, type Line, linesOfSide, newLines, textsOf } from './reviewed-text.ts';
import type { TextContent } from './text-content.ts';
import { joinLines, type TextLines } from './text-content.ts';

/** One side of a review. */
export interface Side {
  readonly state: FileState;
  /** Undefined where it is no text, or not kept. */
  readonly lines: readonly Line[] | undefined;
  /** What the lines were cut from; of the newest state alone, since it takes as much room as the file. */
  readonly content?: TextContent | undefined;
  readonly isEnded: boolean;
  readonly encoding: Encoding;
}

export interface PathState {
  /** What is accepted. Where the user has edited the text, `state` has its mode alone, and its content is in `lines`. */
  readonly base: Side;
  readonly now: Side;
  /** The user has changed what the agent had put there, and whose is what cannot be told. */
  readonly isMixed: boolean;
  /** Where the agent has moved it from, which is not accepted: the base is that of this path. */
  readonly from?: string | undefined;
  /** Where the agent has moved it, which was the last that was done to it. */
  readonly to?: string | undefined;
}

/** What is accepted lies elsewhere. */
export function withNothing(now: Side): PathState {
  const base = sideOf({ kind: 'absent' }, [], undefined);
  return { base: now.state.kind === 'absent' ? now : base, now, isMixed: false };
}

/** What was accepted is at one place alone: at the old one, where it is accepted there (`old`) too, else here. */
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

/** The user has made it something else: nothing of the agent's is left. */
export function taken(now: FileState, content: TextContent | undefined, origin: string): PathState {
  const side = sideOf(now, content && newLines(content.lines, 'you', origin), content);
  return { base: side, now: side, isMixed: false };
}

/** The user has written a file in which lines cannot be told apart: theirs, unless what was in it was pending. */
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

/** Where the agent changes it again, that is all that is pending: what lay there before counts as the user's. */
export function settled(state: PathState): PathState {
  return state.isMixed ? { ...state, base: state.now, isMixed: false } : state;
}

/** What is pending is its mode or its place, at most. */
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
  // Without lines there was no end of one either.
  const isEnded = base.lines?.length === 0 ? now.isEnded : chooseOf(old.isEnded, now.isEnded, base.isEnded);
  return { state: { ...base.state, mode }, lines, isEnded, encoding };
}

function modeAfterEdit(base: Side, old: Side, now: Side): number | undefined {
  return chooseOf(modeOf(old), modeOf(now), modeOf(base));
}

/** What becomes of what is accepted (`+`) when these lines are too, or of what is there (`-`) when they are taken back. */
export function linesAfter(
  { base, now }: PathState,
  sign: '+' | '-',
  ids: readonly string[] | undefined,
): Line[] {
  const cells = cellsOf({ base: base.lines ?? [], now: now.lines ?? [] });
  const chosen = ids && new Set(ids);
  return linesOfSide(cells, sign, (id) => chosen?.has(id) ?? true);
}

/** `lines` where they make the same text. */
export function ifEqual(lines: readonly Line[] | undefined, content: TextLines): Line[] | undefined {
  if (!lines) return undefined;
  const text = joinLines({ lines: textsOf(lines), isEnded: content.isEnded });
  return text === joinLines(content) ? [...lines] : undefined;
}

/** A state that is only remembered: without the texts. */
export function withoutContent(state: PathState): PathState {
  const { content: _, ...now } = state.now;
  return { ...state, now };
}

export function keyOf(state: FileState): string {
  return state.kind === 'file' ? `${state.hash || state.size} ${state.mode}` : JSON.stringify(state);
}

/** Of both sides: about what it takes to hold it. */
export function lineCount({ base, now }: PathState): number {
  return (base.lines?.length ?? 0) + (now.lines?.length ?? 0);
}

/** The same with lines of its own; one that is in both sides is one object in the copy too. */
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
