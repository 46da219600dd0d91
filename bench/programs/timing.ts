/** Milliseconds of runs that were taken in turns. */
export interface Pairs {
  readonly ours: number[];
  readonly reference: number[];
}

/** Milliseconds. */
export async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

/** Each action so many times, in turns. The first time counts for nothing: it warms both up. */
export async function measurePairs(
  rounds: number,
  ours: () => Promise<unknown>,
  reference: () => Promise<unknown>,
): Promise<Pairs> {
  const pairs: Pairs = { ours: [], reference: [] };
  await ours();
  await reference();
  for (let round = 0; round < rounds; round++) {
    pairs.ours.push(await timeOf(ours));
    pairs.reference.push(await timeOf(reference));
  }
  return pairs;
}
