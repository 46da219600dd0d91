/** Milliseconds of alternating runs. */
export interface Pairs {
  readonly ours: number[];
  readonly reference: number[];
}

export function noPairs(): Pairs {
  return { ours: [], reference: [] };
}

export function addPair(pairs: Pairs, ours: number, reference: number): void {
  pairs.ours.push(ours);
  pairs.reference.push(reference);
}

type Action = () => Promise<unknown>;

/** Milliseconds. */
export async function timeOf(action: Action): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

/** Milliseconds of this process's processor time, which the machine's other work does not increase. */
export async function processorTimeOf(action: Action): Promise<number> {
  const started = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

/** Runs each action this many times, alternating. Ignores the first time, which warms both up. */
export async function measurePairs(
  rounds: number,
  ours: Action,
  reference: Action,
  measure: (action: Action) => Promise<number> = timeOf,
): Promise<Pairs> {
  const pairs = noPairs();
  await ours();
  await reference();
  for (let round = 0; round < rounds; round++) {
    addPair(pairs, await measure(ours), await measure(reference));
  }
  return pairs;
}
