import { startIdleTimeout } from './idle-timeout.ts';
import type { WireOptions } from './vendor.ts';
import { watchedFetch } from './watched-fetch.ts';
import { hookedFetch } from './wire-hooks.ts';

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
