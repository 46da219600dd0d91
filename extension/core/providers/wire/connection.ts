import type { Clock } from '../../ports/clock.ts';
import type { WireHooks } from '../../ports/wire-hooks.ts';
import type { WireOptions } from './vendor.ts';

const IDLE_TIMEOUT_MS = 300_000;
/** After a complete reply its body gets so long to end too: then the connection can serve the next request. */
const FAREWELL_MS = 1_000;
/** So many bytes of a body are kept, to tell what it is in case that it is no stream. */
const HEAD_BYTES = 16_384;

/** The life of one request, from before it is sent until nothing more is wanted of it. */
export interface Connection {
  /** The options' own, watched. */
  readonly fetch: typeof fetch;
  /** Aborted with the caller's signal, and by silence. */
  readonly signal: AbortSignal;
  /** How long the silence was that ended it. */
  silentMs(): number | undefined;
  /** The beginning of the body. */
  head(): string;
  /** The reply is complete. */
  expectEnd(): void;
  /** Clears the timers. */
  close(): void;
}

export function openConnection(options: WireOptions, signal: AbortSignal): Connection {
  const { clock, hooks = {}, idleTimeoutMs: limitMs = IDLE_TIMEOUT_MS } = options;
  const idle = startIdleTimeout(clock, limitMs === 0 ? Number.POSITIVE_INFINITY : limitMs);
  const head: Uint8Array[] = [];
  let length = 0;
  const send: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init);
  const fetchWith = watchedFetch(hookedFetch(send, hooks), (bytes) => {
    idle.touch();
    if (bytes.length > 0) hooks.onWire?.(bytes);
    if (length < HEAD_BYTES) head.push(bytes);
    length += bytes.length;
  });
  return {
    fetch: fetchWith,
    signal: AbortSignal.any([signal, idle.signal]),
    silentMs: () => (idle.signal.aborted ? limitMs : undefined),
    head: () => decode(head),
    expectEnd: () => idle.expireIn(FAREWELL_MS),
    close: () => idle.stop(),
  };
}

function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
}

/** A connection is given up when nothing comes over it for too long. The SDK's own timeout ends at the headers. */
export interface IdleTimeout {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Something came. */
  touch(): void;
  /** All that matters has come: gives up after `ms`, however much still comes. */
  expireIn(ms: number): void;
  /** Clears the timers; to be called when the connection is no longer waited for. */
  stop(): void;
}

/** More than a busy machine is late: it slept, and what arrived in the meantime has not been read yet. */
const OVERSLEPT_MS = 30_000;

/** Starts to wait; for ever where `limitMs` is infinite. At most one timer runs per `limitMs`, however much comes. */
export function startIdleTimeout(clock: Clock, limitMs: number): IdleTimeout {
  const expired = new AbortController();
  const stopped = new AbortController();
  let last = clock.monotonic();

  const wait = async () => {
    while (!stopped.signal.aborted) {
      const due = last + limitMs;
      const now = clock.monotonic();
      if (now >= due) return expired.abort();
      await clock.sleep(due - now, stopped.signal);
      if (clock.monotonic() - due > OVERSLEPT_MS) last = clock.monotonic();
    }
  };
  if (Number.isFinite(limitMs)) void wait();

  return {
    signal: expired.signal,
    touch: () => {
      last = clock.monotonic();
    },
    expireIn: (ms) => {
      void clock.sleep(ms, stopped.signal).then(() => expired.abort());
    },
    stop: () => stopped.abort(),
  };
}

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

const SECRET = /^(authorization|x-api-key|api-key|cookie|x-goog-api-key|set-cookie)$/i;

/** The same fetch, which tells `hooks` what it sends and gets. */
export function hookedFetch(fetchWith: typeof fetch, hooks: WireHooks): typeof fetch {
  return async (input, init) => {
    hooks.onRequest?.({
      method: init?.method ?? 'GET',
      url: input instanceof Request ? input.url : String(input),
      headers: plainHeaders(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? init.body : '',
    });
    const response = await fetchWith(input, init);
    hooks.onResponse?.({ status: response.status, headers: plainHeaders(response.headers) });
    return response;
  };
}

function plainHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, SECRET.test(name) ? '(a key)' : value]),
  );
}
