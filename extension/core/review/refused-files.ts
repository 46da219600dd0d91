import { dirname } from 'node:path';
import type { FileState } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { isContent } from '../checkpoints/file-state.ts';
import type { Rejected } from './file-review.ts';
import { isGivenUp, isWhole, type PlannedRejection } from './planned-rejection.ts';

/** Files that are not rejected, with why. What they were does not come back. */
export class RefusedFiles {
  readonly #why = new Map<Rejected, Error>();
  readonly #paths = new Set<string>();
  /** A path of each call that has changed one, and for what each of them was. */
  readonly #ofCalls = new Map<number, string>();
  readonly #ofHashes = new Map<string, string>();

  get size(): number {
    return this.#why.size;
  }

  /** What is to be told, in the order in which it was found out. */
  get reasons(): readonly string[] {
    return [...this.#why.values()].map(({ message }) => message);
  }

  has(rejected: Rejected): boolean {
    return this.#why.has(rejected);
  }

  add(rejected: Rejected, why: Error): void {
    this.#why.set(rejected, why);
    const { review, calls = [] } = rejected;
    const { path, base } = review;
    if (!isContent(base.state)) return;
    this.#paths.add(path);
    for (const call of calls) this.#ofCalls.set(call, path);
    const hash = hashOf(base.state);
    if (hash) this.#ofHashes.set(hash, path);
  }

  /** Throws with why it stays, where it may hold what one of these was. */
  requireNotLast(planned: PlannedRejection): void {
    const lost = this.#heldBy(planned);
    if (lost === undefined || !isGivenUp(planned)) return;
    const why = say('it stays, since {0} could not be put back', lost);
    throw new Error(say('{0} was not rejected: {1.}.', planned.rejected.review.path, why));
  }

  /** The path of one that it may hold. */
  #heldBy(planned: PlannedRejection): string | undefined {
    const { review, calls = [] } = planned.rejected;
    const call = isWhole(planned) ? calls.find((each) => this.#ofCalls.has(each)) : undefined;
    return (
      this.#around(review.path) ??
      this.#ofHashes.get(hashOf(planned.now)) ??
      (call === undefined ? undefined : this.#ofCalls.get(call))
    );
  }

  #around(path: string): string | undefined {
    if (this.#paths.has(path)) return path;
    const parent = dirname(path);
    return parent === path ? undefined : this.#around(parent);
  }
}

/** Empty for what has none, or none that is known. */
function hashOf(state: FileState): string {
  return state.kind === 'file' ? state.hash : '';
}
