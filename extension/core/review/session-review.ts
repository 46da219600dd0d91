import { dirname } from 'node:path';
import type { FileState, SessionEvent } from '../../protocol/events.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { decodeText, READ_LIMIT } from '../tools/text-file.ts';
import { type FileReview, fileReview } from './file-review.ts';
import { type Content, PathFold } from './path-fold.ts';
import { PathSteps, type Step } from './path-steps.ts';
import type { Line } from './reviewed-text.ts';
import { textLines } from './text-lines.ts';

/** What is at a path now, as the user sees it. */
export interface PresentFile {
  readonly state: FileState;
  /** Of a file that is not too large to be read. */
  readonly bytes?: Uint8Array | undefined;
}

const NOTHING: Content = { lines: [], isEnded: false, encoding: 'utf-8' };

/** A fold over the log of a session: what is pending of each file that the agent has changed. Texts are read when they are asked for. */
export class SessionReview {
  readonly #steps = new PathSteps();
  readonly #folds = new Map<string, { fold: PathFold; applied: number; last: Promise<unknown> }>();
  readonly #blobs: Pick<BlobStore, 'get'>;

  constructor(blobs: Pick<BlobStore, 'get'>) {
    this.#blobs = blobs;
  }

  apply(events: readonly SessionEvent[]): void {
    for (const event of events) this.#steps.apply(event);
  }

  /** The session has changed this path. */
  has(path: string): boolean {
    return this.#steps.of(path).length > 0;
  }

  /** Undefined where the session has never changed it. */
  file(path: string, present: PresentFile): Promise<FileReview | undefined> {
    const { fold, last } = this.#foldOf(path);
    const review = last.then(async () => {
      await this.#catchUp(path);
      const state = await fold.at(present.state, present.bytes && contentOf(present.bytes));
      return state && fileReview(path, state, (line) => fold.remover(line));
    });
    this.#foldOf(path).last = review.catch(() => undefined);
    return review;
  }

  /** The events in which calls of the agent have changed it. */
  changedAt(path: string): number[] {
    return this.#steps
      .of(path)
      .flatMap((step) => (step.kind === 'changed' && step.by === 'tool' ? [step.seq] : []));
  }

  /** Directories above the file that the session has made, the nearest one first. */
  madeAbove(path: string): string[] {
    const made: string[] = [];
    for (let parent = dirname(path); this.#isMade(parent); parent = dirname(parent)) made.push(parent);
    return made;
  }

  #isMade(path: string): boolean {
    const [first] = this.#steps.of(path);
    return first?.kind === 'changed' && first.before.kind === 'absent';
  }

  #foldOf(path: string) {
    const known = this.#folds.get(path);
    if (known) return known;
    const made = { fold: this.#newFold(), applied: 0, last: Promise.resolve() };
    this.#folds.set(path, made);
    return made;
  }

  async #catchUp(path: string): Promise<void> {
    const entry = this.#foldOf(path);
    const steps = this.#steps.of(path);
    for (; entry.applied < steps.length; entry.applied += 1)
      await entry.fold.apply(steps[entry.applied] as Step);
  }

  #newFold(): PathFold {
    return new PathFold(
      (state) => this.#read(state),
      (path, seq) => this.#linesBefore(path, seq),
    );
  }

  async #linesBefore(path: string, seq: number): Promise<readonly Line[]> {
    const fold = this.#newFold();
    for (const step of this.#steps.of(path)) if (step.seq < seq) await fold.apply(step);
    return fold.lines;
  }

  async #read(state: FileState): Promise<Content | undefined> {
    if (state.kind === 'absent') return NOTHING;
    if (state.kind !== 'file' || state.unkept || state.size > READ_LIMIT) return undefined;
    const bytes = await this.#blobs.get(state.hash).catch(() => undefined);
    return bytes && contentOf(bytes);
  }
}

function contentOf(bytes: Uint8Array): Content | undefined {
  const decoded = decodeText(bytes);
  return decoded && { ...textLines(decoded.text), encoding: decoded.encoding };
}
