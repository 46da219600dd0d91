import type { Clock } from '../../ports/clock.ts';
import type { WireHooks } from '../../ports/wire-hooks.ts';
import type { WireOptions } from './vendor.ts';

const IDLE_TIMEOUT_MS = 300_000;
/**
 * The time that a body has to end after a complete reply. If it ends in time, the connection can serve the
 * next request.
 */
const FAREWELL_MS = 1_000;
/** The bytes of a body that are stored, to identify it if it is not a stream. */
const HEAD_BYTES = 16_384;

/** The lifetime of one request, until the caller closes it. */
export interface Connection {
  /** The `fetch` of the options, monitored. */
  readonly fetch: typeof fetch;
  /** Aborted with the caller's signal, or when the server is silent for too long. */
  readonly signal: AbortSignal;
  /** The length of the silence that ended the connection; undefined if it did not. */
  silentMs(): number | undefined;
  /** The beginning of the body. */
  head(): string;
  /** Call when the reply is complete. */
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

/** Gives up a connection that is silent for too long. The SDK's own timeout ends with the headers. */
export interface IdleTimeout {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Call when data arrived. */
  touch(): void;
  /** Call when everything needed has arrived. Gives up after `ms`, even if more data arrives. */
  expireIn(ms: number): void;
  /** Clears the timers. Call when the connection is no longer needed. */
  stop(): void;
}

/**
 * A longer delay than a busy machine causes: the machine slept, and data that arrived meanwhile is still
 * unread.
 */
const OVERSLEPT_MS = 30_000;

/**
 * Starts the timeout; an infinite `limitMs` never expires. At most one timer runs per `limitMs`, even if much
 * data arrives.
 */
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
 * The same `fetch`. Calls `onBytes` for each chunk of the body as it arrives, and once, with no bytes, for
 * the headers. The SDK reports neither pings nor a body that is not an event stream.
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
    // Some replaced `fetch` functions do not end a body on abort, because they may already have the rest of
    // it.
    const options = init?.signal ? { signal: init.signal } : {};
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(watch, options), { status, statusText, headers });
  };
}

/** A status that `Response` can be created with. */
function isRegular({ status }: Response): boolean {
  return status >= 200 && status <= 599;
}

const SECRET = /^(authorization|x-api-key|api-key|cookie|x-goog-api-key|set-cookie)$/i;

/** The same `fetch`, which passes to `hooks` what it sends and receives. */
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
