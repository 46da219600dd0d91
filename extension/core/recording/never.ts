/** For what nobody waits for, and what a playback answers in its place. */
export const never = () => new Promise<never>(() => {});

/** A stream that ends at once. */
export async function* nothing(): AsyncGenerator<never> {}
