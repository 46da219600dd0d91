import { whyFailed } from './why-failed.ts';

/** Steps at paths, none of which is tried where one before it has failed. */
export class Attempts<Item extends { readonly path: string }> {
  readonly #problems: Map<string, string>;
  readonly #failed: Item[];

  /** `refused`: why there is nothing to be tried at all. */
  constructor(items: readonly Item[], refused: ReadonlyMap<string, string>) {
    this.#problems = new Map(refused);
    this.#failed = items.filter(({ path }) => refused.has(path));
  }

  /** Why, of each path at which one has failed. */
  get problems(): ReadonlyMap<string, string> {
    return this.#problems;
  }

  /** What has failed until now. */
  get failed(): readonly Item[] {
    return this.#failed;
  }

  async at(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
    for (const item of items) {
      if (this.#problems.has(item.path)) continue;
      await act(item).catch((error: Error) => {
        this.#problems.set(item.path, whyFailed(error));
        this.#failed.push(item);
      });
    }
  }
}
