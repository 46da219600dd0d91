// The fold over the steps of one path: what is accepted of it, what is there, and who wrote it.
import type { FileState } from '../../protocol/events.ts';
import { isSameState } from '../files/file-states.ts';
import type { Encoding } from '../tools/text-file.ts';
import type { Step } from './path-steps.ts';
import { type Author, carryLines, cellsOf, type Line, linesIn, newLines, textsOf } from './reviewed-text.ts';
import { joinLines, type TextLines } from './text-lines.ts';
import { applyUserEdit } from './user-edit.ts';

/** A text's lines, and how its bytes are made of them. */
export interface Content extends TextLines {
  readonly encoding: Encoding;
}

/** Resolves with undefined for what is no text, or is not kept. What is absent has no lines. */
export type ReadContent = (state: FileState) => Promise<Content | undefined>;

/** One side of a review. */
export interface Side {
  readonly state: FileState;
  /** Undefined where it is no text, or not kept. */
  readonly lines: readonly Line[] | undefined;
  readonly isEnded: boolean;
  readonly encoding: Encoding;
}

export interface PathState {
  /** What is accepted. Where the user has edited the text, `state` has its mode alone, and its content is in `lines`. */
  readonly base: Side;
  readonly now: Side;
  /** The user has changed what the agent had put there, and whose is what cannot be told. */
  readonly isMixed: boolean;
}

/** So many earlier states of a path are known again. */
const REMEMBERED = 64;

export class PathFold {
  readonly #read: ReadContent;
  readonly #from: (path: string, seq: number) => Promise<readonly Line[]>;
  #state: PathState | undefined;
  /** The newest state of the review at each state of the file, by the file's. */
  readonly #earlier = new Map<string, PathState>();
  readonly #removers = new WeakMap<Line, Author>();

  /** `from` gives the lines of another path just before event `seq`. */
  constructor(read: ReadContent, from: (path: string, seq: number) => Promise<readonly Line[]>) {
    this.#read = read;
    this.#from = from;
  }

  /** The review when the file is as `now`, which the log does not know yet; undefined where no step has said anything. */
  async at(now: FileState, content: Content | undefined): Promise<PathState | undefined> {
    if (!this.#state) return undefined;
    return this.#userChanges(this.#state, now, 'now', content);
  }

  /** The lines after all steps so far. */
  get lines(): readonly Line[] {
    return this.#state?.now.lines ?? [];
  }

  /** Who has removed a line that is accepted. */
  remover(line: Line): Author | undefined {
    return this.#removers.get(line);
  }

  async apply(step: Step): Promise<void> {
    const origin = String(step.seq);
    const first = step.kind === 'changed' ? step.before : step.base;
    this.#state ??= await this.#begin(first);
    this.#state = await this.#after(this.#state, step, origin);
    this.#remember(this.#state);
  }

  async #begin(state: FileState): Promise<PathState> {
    const base = await this.#side(state, ({ lines }) => newLines(lines, 'before', '0'));
    const begun = { base, now: base, isMixed: false };
    this.#remember(begun);
    return begun;
  }

  async #after(state: PathState, step: Step, origin: string): Promise<PathState> {
    if (step.kind === 'reviewed') {
      return this.#accept(await this.#userChanges(state, step.now, `y${origin}`), step, origin);
    }
    if (isSameState(step.after, state.now.state)) return state;
    const before = step.isOverlapped ? state : await this.#userChanges(state, step.before, `y${origin}`);
    const known = step.by === 'restore' ? this.#earlier.get(keyOf(step.after)) : undefined;
    return known ?? this.#change(before, step, origin);
  }

  /** By the agent, a restore or a rejection: nothing of it is accepted. */
  async #change(
    state: PathState,
    step: Extract<Step, { kind: 'changed' }>,
    origin: string,
  ): Promise<PathState> {
    const old = step.from
      ? await this.#from(step.from, step.seq)
      : (state.now.lines ?? state.base.lines ?? []);
    const onRemoved = (line: Line) => this.#removers.set(line, step.seq);
    const expected = step.by === 'review' ? linesAfter(state, '-', step.lines) : undefined;
    const now = await this.#side(
      step.after,
      (content) =>
        ifEqual(expected, content) ?? carryLines(old, content.lines, { author: step.seq, origin, onRemoved }),
    );
    return { base: state.base, now, isMixed: state.isMixed && step.by === 'tool' };
  }

  async #userChanges(state: PathState, now: FileState, origin: string, given?: Content): Promise<PathState> {
    if (isSameState(now, state.now.state)) return state;
    const known = this.#earlier.get(keyOf(now));
    if (known) return known;
    const content = given ?? (await this.#read(now));
    if (state.now.state.kind !== now.kind || now.kind !== 'file') return taken(now, content, origin);
    if (!content || !state.now.lines || !state.base.lines) {
      return { ...state, now: sideOf(now, undefined, content), isMixed: true };
    }
    const text = { base: state.base.lines, now: state.now.lines };
    const edited = applyUserEdit(text, content.lines, origin);
    const side = sideOf(now, edited.now, content);
    return { ...state, base: baseAfterEdit(state.base, state.now, side, edited.base), now: side };
  }

  async #accept(
    state: PathState,
    { base, lines: ids }: Extract<Step, { kind: 'reviewed' }>,
    origin: string,
  ): Promise<PathState> {
    if (isSameState(base, state.now.state)) return { base: state.now, now: state.now, isMixed: false };
    const expected = linesAfter(state, '+', ids);
    const side = await this.#side(
      base,
      (content) =>
        ifEqual(expected, content) ?? carryLines(expected, content.lines, { author: 'before', origin }),
    );
    return { ...state, base: side };
  }

  async #side(state: FileState, toLines: (content: Content) => Line[]): Promise<Side> {
    const content = await this.#read(state);
    return sideOf(state, content && toLines(content), content);
  }

  #remember(state: PathState): void {
    const key = keyOf(state.now.state);
    this.#earlier.delete(key);
    this.#earlier.set(key, state);
    const [oldest] = this.#earlier.keys();
    if (this.#earlier.size > REMEMBERED && oldest !== undefined) this.#earlier.delete(oldest);
  }
}

function sideOf(state: FileState, lines: readonly Line[] | undefined, content: Content | undefined): Side {
  return { state, lines, isEnded: content?.isEnded ?? false, encoding: content?.encoding ?? 'utf-8' };
}

/** The user has made it something else: nothing of the agent's is left. */
function taken(now: FileState, content: Content | undefined, origin: string): PathState {
  const side = sideOf(now, content && newLines(content.lines, 'you', origin), content);
  return { base: side, now: side, isMixed: false };
}

function baseAfterEdit(base: Side, old: Side, now: Side, lines: readonly Line[]): Side {
  if (base.state.kind !== 'file') return lines.length > 0 ? { ...now, lines } : base;
  const own = <Key extends 'isEnded' | 'encoding'>(key: Key) =>
    old[key] === now[key] ? base[key] : now[key];
  const mode = modeOf(old) === modeOf(now) ? base.state.mode : (modeOf(now) ?? base.state.mode);
  return { state: { ...base.state, mode }, lines, isEnded: own('isEnded'), encoding: own('encoding') };
}

/** What becomes of what is accepted (`+`) when these lines are too, or of what is there (`-`) when they are taken back. */
function linesAfter({ base, now }: PathState, sign: '+' | '-', ids: readonly string[] | undefined): Line[] {
  const cells = cellsOf({ base: base.lines ?? [], now: now.lines ?? [] });
  const chosen = ids && new Set(ids);
  return linesIn(cells, sign, (id) => chosen?.has(id) ?? true);
}

/** `lines` where they make the same text. */
function ifEqual(lines: readonly Line[] | undefined, content: TextLines): Line[] | undefined {
  if (!lines) return undefined;
  const text = joinLines({ lines: textsOf(lines), isEnded: content.isEnded });
  return text === joinLines(content) ? [...lines] : undefined;
}

function keyOf(state: FileState): string {
  return state.kind === 'file' ? `${state.hash} ${state.mode}` : JSON.stringify(state);
}

export function modeOf({ state }: Side): number | undefined {
  return state.kind === 'file' ? state.mode : undefined;
}
