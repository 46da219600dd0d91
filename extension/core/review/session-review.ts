import type { FileState, SessionEvent } from '../../protocol/events.ts';
import { Mutex } from '../base/mutex.ts';
import { linedText, MAX_TEXT } from '../base/text/encoding.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { CurrentFile, ReadCurrentFile } from './current-file.ts';
import { type FileReview, fileReview, type Rejected } from './file-review.ts';
import { PathFold } from './path-fold.ts';
import { type PathState, withNothing, withoutMove } from './path-state.ts';
import { PathSteps } from './path-steps.ts';
import type { Line, LineAuthor } from './reviewed-text.ts';
import { TextContent } from './text-content.ts';

const NOTHING = new TextContent({ text: '', encoding: 'utf-8' });

/** Limit for all files together. Beyond it, the least recently requested files are dropped. */
const MOST_LINES = 500_000;

interface Folded {
  readonly fold: PathFold;
  /** Number of steps already in the fold. */
  applied: number;
  lines: number;
}

/** A fold over a session's log: the pending changes of each file. Reads texts on request only. */
export class SessionReview {
  readonly #steps = new PathSteps();
  /** Least recently requested first. */
  readonly #folds = new Map<string, Folded>();
  /** Of all folds together. */
  #lines = 0;
  readonly #turns = new Mutex();
  readonly #removers = new WeakMap<Line, LineAuthor>();
  readonly #blobs: Pick<BlobStore, 'get'>;

  constructor(blobs: Pick<BlobStore, 'get'>) {
    this.#blobs = blobs;
  }

  apply(events: readonly SessionEvent[]): void {
    for (const event of events) {
      this.#steps.apply(event);
      if (event.type === 'imported') this.#begin();
    }
  }

  /** Whether the session changed this path. */
  has(path: string): boolean {
    return this.#steps.of(path).length > 0;
  }

  /** The paths whose review an event at `path` may change: at it, below it, or connected by moves. */
  concernedBy(path: string): readonly string[] {
    return this.#steps.within(path).flatMap((each) => this.#steps.joinedWith(each));
  }

  /** Undefined if the session never changed the path. */
  async file(path: string, look: ReadCurrentFile): Promise<FileReview | undefined> {
    return this.#turns.take(() => this.#review(path, look));
  }

  /** The `seq` of each event in which a call of the agent changed the path. */
  changedAt(path: string): number[] {
    return this.#steps
      .of(path)
      .flatMap((step) => (step.kind === 'changed' && step.by === 'tool' ? [step.seq] : []));
  }

  /** Adds the directories that the rejection must remove or create. */
  rejected(chosen: readonly Pick<Rejected, 'review' | 'ids'>[]): Rejected[] {
    return chosen.map((each) => {
      const { path, from = path } = each.review;
      return { ...each, made: this.#steps.madeAbove(path), gone: this.#steps.goneAbove(from) };
    });
  }

  async #review(path: string, look: ReadCurrentFile): Promise<FileReview | undefined> {
    const state = await this.#stateOf(path, await look(path));
    const review = state && (await this.#oneOfMove(path, state, look));
    this.#letGo(path);
    return review && fileReview(path, review, (line) => this.#removers.get(line));
  }

  async #stateOf(path: string, { state, bytes }: CurrentFile): Promise<PathState | undefined> {
    return (await this.#foldOf(path)).at(state, bytes && contentOf(bytes));
  }

  /** Drops folds beyond the limit. The next request for one builds it again. */
  #letGo(asked: string): void {
    for (const [path, { lines }] of this.#folds) {
      if (this.#lines <= MOST_LINES) return;
      if (path === asked) continue;
      this.#folds.delete(path);
      this.#lines -= lines;
    }
  }

  #begin(): void {
    this.#folds.clear();
    this.#lines = 0;
  }

  /** Shows a move as one change, at the new path, unless something is at the old path again. */
  async #oneOfMove(path: string, state: PathState, look: ReadCurrentFile): Promise<PathState> {
    if (state.from === undefined) return this.#movedAway(path, state);
    const there = await look(state.from);
    const isGone = isSameName(path, state.from) || there.state.kind === 'absent';
    if (!isGone) return withoutMove(state, (await this.#stateOf(state.from, there))?.base);
    return state.now.state.kind === 'file' ? state : withNothing(state.now);
  }

  /** A file deleted after its move shows as deleted at the old path, with the base of the new one. */
  async #movedAway(path: string, state: PathState): Promise<PathState> {
    if (state.now.state.kind !== 'absent' || state.base.state.kind === 'absent') return state;
    const moved = await this.#movedTo(state.to);
    if (moved?.from !== path) return state;
    return moved.now.state.kind === 'file' ? withNothing(state.now) : { ...state, base: moved.base };
  }

  /** Follows the moves from `path` on. Returns the last state: where the file is or was deleted. */
  async #movedTo(path: string | undefined): Promise<PathState | undefined> {
    let moved: PathState | undefined;
    const seen = new Set<string>();
    for (let to = path; to !== undefined && !seen.has(to); to = moved?.to) {
      seen.add(to);
      moved = (await this.#foldOf(to)).state;
    }
    return moved;
  }

  /** Folds all known steps, or those before event `end`. Applies each step once, for all callers. */
  async #foldOf(path: string, end = Number.POSITIVE_INFINITY): Promise<PathFold> {
    const known = this.#folds.get(path) ?? { fold: this.#newFold(path), applied: 0, lines: 0 };
    this.#folds.delete(path);
    this.#folds.set(path, known);
    const steps = this.#steps.of(path);
    for (let step = steps[known.applied]; step && step.seq < end; step = steps[known.applied]) {
      await known.fold.apply(step);
      known.applied += 1;
    }
    this.#lines += known.fold.lines - known.lines;
    known.lines = known.fold.lines;
    return known.fold;
  }

  #newFold(path: string): PathFold {
    return new PathFold({
      path,
      read: (state) => this.#read(state),
      before: (other, seq) => this.#stateBefore(other, seq),
      removers: this.#removers,
    });
  }

  async #stateBefore(path: string, seq: number): Promise<PathState | undefined> {
    const step = this.#steps.of(path).find((each) => each.seq === seq);
    if (step?.kind !== 'changed') return undefined;
    return (await this.#foldOf(path, seq)).leaving(step);
  }

  async #read(state: FileState): Promise<TextContent | undefined> {
    if (state.kind === 'absent') return NOTHING;
    if (state.kind !== 'file' || state.unkept || state.size > MAX_TEXT) return undefined;
    const bytes = await this.#blobs.get(state.hash).catch(() => undefined);
    return bytes && contentOf(bytes);
  }
}

/** Some file systems ignore case, so two spellings may name one file. */
function isSameName(path: string, other: string): boolean {
  return path.toLowerCase() === other.toLowerCase();
}

function contentOf(bytes: Uint8Array): TextContent | undefined {
  const text = linedText(bytes);
  return text && new TextContent(text);
}
