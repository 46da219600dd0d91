/** Numbers in [0, 1), the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many bytes of noise, the same ones for the same seed. */
export function noiseOf(length: number, seed = 1): Buffer {
  const random = randomFrom(seed);
  return Buffer.from(Array.from({ length }, () => random() * 256));
}
