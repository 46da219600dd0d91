/** Runs pieces of work in order. Each begins when the previous one has ended, even if that one failed. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as `work` does. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
