import type { FileState } from '../../protocol/events.ts';
import { keyOf, lineCount, type PathState, withoutContent } from './path-state.ts';

/** Lines of earlier states of one path that are held, in all. */
const MOST_LINES = 200_000;

/** The newest state of the review at each state of one file: what it begins with, and as many of the last ones as there is room for. */
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
