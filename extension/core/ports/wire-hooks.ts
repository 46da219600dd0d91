/** Observes the wire: what is sent and what comes back, before translation. The hooks must not throw. */
export interface WireHooks {
  /**
   * A request, right before it is sent. A placeholder replaces each header that carries a key. `body` is
   * JSON.
   */
  onRequest?(request: WireRequest): void;
  /** The response's head, also that of a refusal. */
  onResponse?(response: WireResponse): void;
  /** A chunk of the body as it arrived. */
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
