/** Work of which each piece begins when the one before it has ended, well or not. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves, or rejects, as `work` does. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
