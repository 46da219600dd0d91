import type { FileState } from '../../../protocol/events.ts';
import { isContent } from '../file-state.ts';
import type { PlannedRestore } from './types.ts';

/** It stays as it is, whatever it was. */
export function leavesAsIs({ kind }: PlannedRestore['step']): boolean {
  return kind === 'conflict' || kind === 'unkept' || kind === 'occupied';
}

/** Nothing that the session has done to it since is there any more. */
export function isUndone(step: PlannedRestore['step']): boolean {
  return step.kind === 'identical' || (step.kind === 'conflict' && step.isUndone === true);
}

/** What lies at its path now is overwritten or taken away. */
export function isOverwritten({ now, step }: PlannedRestore): boolean {
  return (step.kind === 'restore' || step.kind === 'merge') && isContent(now);
}

/** Tells contents, and links, from others; those that were never read only by their size. */
export function contentKey(state: FileState): string {
  if (state.kind === 'link') return `to ${state.target}`;
  return state.kind === 'file' ? state.hash || `of ${state.size}` : '';
}

/** What stays of a plan, while it grows. */
export class KeptPaths {
  /** Files and links that do not become again what they were. */
  readonly missing: PlannedRestore[] = [];
  readonly #going = new Map<string, PlannedRestore>();
  /** Paths of these by what lies there now. */
  readonly #paths = new Map<string, string[]>();
  /** How many paths hold it afterwards. */
  readonly #back = new Map<string, number>();
  readonly #why = new Map<string, string>();
  #followed = 0;

  constructor(plan: readonly PlannedRestore[]) {
    for (const planned of plan) {
      const { path, then, now, step } = planned;
      if (!leavesAsIs(step)) this.#count(then, 1);
      else if (isContent(then)) this.missing.push(planned);
      if (!isOverwritten(planned)) continue;
      this.#going.set(path, planned);
      const paths = this.#paths.get(contentKey(now));
      if (paths) paths.push(path);
      else this.#paths.set(contentKey(now), [path]);
    }
  }

  /** How many were kept. */
  get count(): number {
    return this.#why.size;
  }

  /** What is planned for a path that is overwritten or taken away, and does not stay. */
  going(path: string): PlannedRestore | undefined {
    return this.#going.get(path);
  }

  whyOf(path: string): string | undefined {
    return this.#why.get(path);
  }

  pathsWith(print: string): readonly string[] {
    return this.#paths.get(print) ?? [];
  }

  /** Those of `missing` that this has not told yet, also those that come in meanwhile. */
  *unfollowed(): Iterable<PlannedRestore> {
    for (let one = this.missing[this.#followed]; one; one = this.missing[this.#followed]) {
      this.#followed += 1;
      yield one;
    }
  }

  /** It stays where what it holds would lie nowhere any more. */
  keep(path: string, why: string): void {
    const planned = this.#going.get(path);
    if (!planned || (this.#back.get(contentKey(planned.now)) ?? 0) > 0) return;
    this.#going.delete(path);
    this.#why.set(path, why);
    this.#count(planned.then, -1);
    if (isContent(planned.then)) this.missing.push(planned);
  }

  #count(then: FileState, by: number): void {
    this.#back.set(contentKey(then), (this.#back.get(contentKey(then)) ?? 0) + by);
  }
}
