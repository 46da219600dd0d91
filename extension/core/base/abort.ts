/** Resolves with undefined if the signal is aborted first. A later result of `work` is ignored. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([work, aborted]);
}

/**
 * The same items until the signal is aborted. The iteration then ends, even if the source does not.
 */
export async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let stopWaiting = () => {};
  const stop = () => stopWaiting();
  signal.addEventListener('abort', stop, { once: true });
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<T> | undefined>((resolve, reject) => {
        stopWaiting = () => resolve(undefined);
        iterator.next().then(resolve, reject);
      });
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // A source that waits for its next item may never answer `return`.
    iterator.return?.().catch(() => {});
  }
}
