/** Resolves as soon as `condition` holds; rejects after a minute, which no sound machine needs. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`This never came true: ${condition.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
