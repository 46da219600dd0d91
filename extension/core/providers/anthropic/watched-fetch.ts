/**
 * The same fetch, with `onBytes` told of each piece of a successful body as it arrives, and once, with nothing, of the
 * headers. The SDK shows neither pings nor a body that is no stream of events.
 */
export function watchedFetch(fetchWith: typeof fetch, onBytes: (bytes: Uint8Array) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetchWith(input, init);
    onBytes(new Uint8Array());
    if (!response.ok || !response.body) return response;
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        onBytes(bytes);
        controller.enqueue(bytes);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(watch), { status, statusText, headers });
  };
}
