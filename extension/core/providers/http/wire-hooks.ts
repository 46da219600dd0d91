/** For those who look at the wire: what is sent and what comes back, before anything is made of it. */
export interface WireHooks {
  /** A request, right before it is sent. Headers that carry a key say so instead. `body` is JSON. */
  onRequest?(request: WireRequest): void;
  onResponse?(response: WireResponse): void;
  /** A piece of the body as it arrived. */
  onWire?(bytes: Uint8Array): void;
  /** One event of the provider's own protocol, parsed, before its translation. */
  onRawEvent?(event: unknown): void;
}

export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
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
