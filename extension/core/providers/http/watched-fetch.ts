/**
 * The same fetch, with `onBytes` told of each piece of the body as it arrives, and once, with nothing, of the headers. The
 * SDK shows neither pings nor a body that is no stream of events.
 */
export function watchedFetch(fetchWith: typeof fetch, onBytes: (bytes: Uint8Array) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetchWith(input, init);
    onBytes(new Uint8Array());
    if (!response.body || !isRegular(response)) return response;
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        onBytes(bytes);
        controller.enqueue(bytes);
      },
    });
    // Not every fetch ends a body with its signal: one that was replaced may have the rest of it already.
    const options = init?.signal ? { signal: init.signal } : {};
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(watch, options), { status, statusText, headers });
  };
}

/** One of those that `Response` can be made of. */
function isRegular({ status }: Response): boolean {
  return status >= 200 && status <= 599;
}
