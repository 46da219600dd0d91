// The fold over the steps of one path: the accepted text, the current text, and the author of each line.
import type { FileState } from '../../protocol/events.ts';
import { isAlike, isSameState } from '../checkpoints/file-state.ts';
import {
  baseAfterEdit,
  copyOf,
  ifEqual,
  keyOf,
  lineCount,
  linesAfter,
  type PathState,
  rewritten,
  type Side,
  settled,
  sideOf,
  taken,
  withNothing,
  withoutContent,
} from './path-state.ts';
import type { PathStep } from './path-steps.ts';
import { carryLines, type KnownLines, type Line, type LineAuthor, newLines } from './reviewed-text.ts';
import type { TextContent } from './text-content.ts';
import { applyUserEdit } from './user-edit.ts';

/** Resolves with undefined if the content is not text or is not stored. An absent file has no lines. */
export type ReadContent = (state: FileState) => Promise<TextContent | undefined>;

export interface PathFoldPorts {
  readonly path: string;
  readonly read: ReadContent;
  /** State of another path just before step `seq` moved the file from there to here. */
  readonly before: (path: string, seq: number) => Promise<PathState | undefined>;
  /** Who removed a line; shared by all paths of a session. */
  readonly removers: WeakMap<Line, LineAuthor>;
}

type Changed = Extract<PathStep, { kind: 'changed' }>;

export class PathFold {
  readonly #ports: PathFoldPorts;
  #state: PathState | undefined;
  readonly #earlier = new EarlierStates();
  /** By `seq`: the state just before each step that moved the file away. */
  readonly #left = new Map<number, PathState>();
  #leftLines = 0;

  constructor(ports: PathFoldPorts) {
    this.#ports = ports;
  }

  /** The review for a file that is `now`, even if the log does not know it; undefined without steps. */
  async at(now: FileState, content: TextContent | undefined): Promise<PathState | undefined> {
    if (!this.#state) return undefined;
    return this.#userChanges(this.#state, now, 'now', content);
  }

  /** State just before a step that moves the file away. Later steps do not change the result. */
  async leaving({ seq, before }: Changed): Promise<PathState> {
    const known = this.#left.get(seq);
    if (known) return known;
    this.#state ??= await this.#begin(before);
    const state = settled(await this.#userChanges(this.#state, before, `y${seq}`));
    const { removers } = this.#ports;
    // The copy has removers of its own: a removal at one path does not count at the other.
    const left = copyOf(state, (line, copy) => {
      const remover = removers.get(line);
      if (remover !== undefined) removers.set(copy, remover);
    });
    this.#left.set(seq, left);
    this.#leftLines += lineCount(left);
    return left;
  }

  /** After all steps so far. */
  get state(): PathState | undefined {
    return this.#state;
  }

  /** Approximate number of lines in memory. */
  get lines(): number {
    return this.#earlier.lines + this.#leftLines;
  }

  async apply(step: PathStep): Promise<void> {
    if (step.kind === 'changed' && step.to !== undefined) await this.leaving(step);
    const origin = String(step.seq);
    const first = step.kind === 'changed' ? step.before : step.base;
    this.#state ??= await this.#begin(first);
    this.#state = await this.#after(this.#state, step, origin);
    this.#earlier.remember(this.#state);
  }

  async #begin(state: FileState): Promise<PathState> {
    const base = await this.#side(state, ({ lines }) => newLines(lines, 'before', '0'));
    const begun = { base, now: base, isMixed: false };
    this.#earlier.remember(begun);
    return begun;
  }

  async #after(state: PathState, step: PathStep, origin: string): Promise<PathState> {
    if (step.kind === 'reviewed') {
      return this.#accept(await this.#userChanges(state, step.now, `y${origin}`), step, origin);
    }
    if (isSameState(step.after, state.now.state)) return state;
    const before = step.isOverlapped ? state : await this.#userChanges(state, step.before, `y${origin}`);
    this.#earlier.remember(before);
    const known = step.by === 'restore' ? this.#earlier.at(step.after) : undefined;
    return known ?? this.#change(step.by === 'tool' ? settled(before) : before, step, origin);
  }

  /** Applies a change by the agent, a restore or a rejection. The change accepts nothing. */
  async #change(state: PathState, step: Changed, origin: string): Promise<PathState> {
    if (step.by === 'review' && !step.lines) return this.#rejected(state, step.after, origin);
    if (step.to !== undefined && state.from !== undefined)
      return { ...withNothing(await this.#side(step.after, () => [])), to: step.to };
    const moved = step.from === undefined ? undefined : await this.#ports.before(step.from, step.seq);
    if (moved) return this.#arrive(state, moved, step, origin);
    const now = await this.#carried(state, linesOf(state.now.lines ? state.now : state.base), step, origin);
    return { ...state, now, isMixed: false, to: step.to };
  }

  /** Nothing is pending after a rejection of the whole file. Differences from the old base are the user's. */
  async #rejected({ base }: PathState, after: FileState, origin: string): Promise<PathState> {
    const side = await this.#side(
      after,
      (content) =>
        ifEqual(base.lines, content) ?? carryLines(linesOf(base), content, { author: 'you', origin }),
    );
    return { base: side, now: side, isMixed: false };
  }

  /** The moved file brings the base of its old path, unless this path has an accepted file itself. */
  async #arrive(state: PathState, moved: PathState, step: Changed, origin: string): Promise<PathState> {
    const old = linesOf(moved.now.lines ? moved.now : moved.base);
    if (state.base.state.kind !== 'absent') {
      const lines = old.lines.map((line) => ({ ...line, id: `${origin}.${line.id}` }));
      return { ...state, now: await this.#carried(state, { ...old, lines }, step, origin), to: undefined };
    }
    const now = await this.#carried(state, old, step, origin);
    const origins = moved.base.state.kind === 'absent' ? undefined : (moved.from ?? step.from);
    const from = origins === this.#ports.path ? undefined : origins;
    return { base: moved.base, now, isMixed: moved.isMixed, ...(from !== undefined && { from }) };
  }

  #carried(state: PathState, old: KnownLines, step: Changed, origin: string): Promise<Side> {
    const onRemoved = (line: Line) => this.#ports.removers.set(line, step.seq);
    const expected = step.by === 'review' ? linesAfter(state, '-', step.lines) : undefined;
    return this.#side(
      step.after,
      (content) =>
        ifEqual(expected, content) ?? carryLines(old, content, { author: step.seq, origin, onRemoved }),
    );
  }

  async #userChanges(
    state: PathState,
    now: FileState,
    origin: string,
    given?: TextContent,
  ): Promise<PathState> {
    if (isAlike(now, state.now.state)) return state;
    const known = this.#earlier.at(now);
    if (known) return known;
    const content = given ?? (await this.#ports.read(now));
    if (state.now.state.kind !== now.kind || now.kind !== 'file') return taken(now, content, origin);
    if (!content || !state.now.lines || !state.base.lines) return rewritten(state, now, content, origin);
    const text = { base: state.base.lines, now: state.now.lines };
    const edited = applyUserEdit(text, { before: state.now.content, content, origin });
    const side = sideOf(now, edited.now, content);
    return { ...state, base: baseAfterEdit(state.base, state.now, side, edited.base), now: side };
  }

  async #accept(
    state: PathState,
    { base, lines: ids }: Extract<PathStep, { kind: 'reviewed' }>,
    origin: string,
  ): Promise<PathState> {
    if (isAlike(base, state.now.state) && !ids) return { base: state.now, now: state.now, isMixed: false };
    const expected = linesAfter(state, '+', ids);
    const side = await this.#side(
      base,
      (content) =>
        ifEqual(expected, content) ?? carryLines({ lines: expected }, content, { author: 'before', origin }),
    );
    return { ...state, base: side };
  }

  async #side(state: FileState, toLines: (content: TextContent) => Line[]): Promise<Side> {
    const content = await this.#ports.read(state);
    return sideOf(state, content && toLines(content), content);
  }
}

function linesOf({ lines = [], content }: Side): KnownLines {
  return { lines, content };
}

/** Limit for the lines of all stored states of one path. */
const MOST_LINES = 200_000;

/** The newest review for each state of one file. Stores the first state and the most recent ones. */
export class EarlierStates {
  readonly #states = new Map<string, PathState>();
  #begun: string | undefined;
  #lines = 0;

  get lines(): number {
    return this.#lines;
  }

  at(state: FileState): PathState | undefined {
    return this.#states.get(keyOf(state));
  }

  remember(state: PathState): void {
    const key = keyOf(state.now.state);
    this.#begun ??= key;
    this.#forget(key);
    this.#states.set(key, withoutContent(state));
    this.#lines += lineCount(state);
    for (const each of this.#states.keys()) {
      if (this.#lines <= MOST_LINES) break;
      if (each !== key && each !== this.#begun) this.#forget(each);
    }
  }

  #forget(key: string): void {
    const known = this.#states.get(key);
    if (known) this.#lines -= lineCount(known);
    this.#states.delete(key);
  }
}
