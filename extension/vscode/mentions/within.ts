/** What `work` comes to; undefined where it takes longer than so many milliseconds, or fails. */
export async function within<T>(milliseconds: number, work: PromiseLike<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    // Somebody else's failure, such as that of a language's extension: there is nothing to show then.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
