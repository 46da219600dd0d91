/** For those who look at the wire: what is sent and what comes back, before anything is made of it. They must not throw. */
export interface WireHooks {
  /** A request, right before it is sent. Headers that carry a key say so instead. `body` is JSON. */
  onRequest?(request: WireRequest): void;
  /** The answer's head, also that of a refusal. */
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
