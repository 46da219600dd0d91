import type { Opaque } from '../../protocol/events.ts';
import type { Clock } from './clock.ts';
import type { WireHooks } from './wire-hooks.ts';

/** A tool as a model is told of it. `inputSchema` is JSON Schema with `type: "object"` at the top. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /**
   * Its input is one text in this grammar, for models that take such tools; its schema then has one string, `input`, with
   * which any other model calls it, and which a `tool_call` carries in either case.
   */
  readonly freeform?: { readonly syntax: 'lark'; readonly definition: string } | undefined;
}

/** What a model is told of a tool, and nothing else of it. */
export function specOf({ name, description, inputSchema, freeform }: ToolSpec): ToolSpec {
  return { name, description, inputSchema, ...(freeform && { freeform }) };
}

/** What a session tells the model beside its prompts; each kind has its own place in a provider's requests. */
export type ContextKind = 'permissions' | 'collaboration' | 'environment' | 'instructions';

export interface ContextBlock {
  readonly type: 'context';
  readonly kind: ContextKind;
  /** Whole, with the tags around it. */
  readonly text: string;
}

export interface ImageBlock {
  readonly type: 'image';
  /** Tells one image from another. */
  readonly name: string;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Base64; absent where the image is missing, and before it was read for a request. */
  readonly data?: string;
}

export type UserBlock =
  | { readonly type: 'text'; readonly text: string }
  | ImageBlock
  | ContextBlock
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly content: string;
      readonly isError: boolean;
    };

interface ToolCallBlock {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What its maker wants back with it. */
  readonly opaque?: Opaque | undefined;
}

interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  /** Said on the way, before a call: no part of the answer. */
  readonly preamble?: true | undefined;
  readonly opaque?: Opaque | undefined;
}

export type AssistantBlock =
  | TextBlock
  | { readonly type: 'reasoning'; readonly text: string; readonly opaque?: Opaque | undefined }
  | { readonly type: 'provider_block'; readonly opaque: Opaque }
  | ToolCallBlock;

/** A provider-neutral message. Blocks stand in the order in which they were received. */
export type Message =
  | { readonly role: 'user'; readonly content: readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] };

/** One request. Between two turns of a session only `messages` grows, at its end (prompt caches and signed thinking need it). */
export interface Turn {
  /** The model's id as the provider knows it, without the provider's prefix. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly maxTokens: number;
  /** How much to think; the model's own measure where it is left out. */
  readonly effort?: Effort | undefined;
  /** The session's id: what belongs together in the provider's cache. */
  readonly session?: string | undefined;
}

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export type Effort = (typeof EFFORTS)[number];

/** All tokens of one request. `inputTokens` counts the whole prompt, cached parts included. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Those of `outputTokens` with which it thought; absent where that is not told. */
  readonly reasoningTokens?: number | undefined;
  /** US dollars; absent where the price is unknown. */
  readonly cost?: number | undefined;
  /** Tokens that the provider did not count are our estimate. */
  readonly estimated?: true | undefined;
}

export type ModelErrorKind =
  | 'auth'
  | 'billing'
  | 'permission'
  | 'not_found'
  | 'invalid_request'
  | 'request_too_large'
  | 'context_overflow'
  | 'rate_limit'
  | 'overloaded'
  | 'server'
  | 'network'
  | 'timeout'
  | 'stream_incomplete'
  | 'empty_response'
  /** The model slipped in the format of its tools; another attempt may succeed. */
  | 'tool_format'
  | 'tools_unsupported'
  | 'thinking_unsupported'
  | 'refusal';

export interface ModelError {
  readonly kind: ModelErrorKind;
  /** A sentence for the user: what happened and what to do. */
  readonly message: string;
  /** Worth sending again unchanged. Decided where the error is made. */
  readonly retryable: boolean;
  /** What the server asked to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly status?: number | undefined;
}

export type StopReason = 'end' | 'tool_calls' | 'length' | 'pause' | 'refusal' | 'context_exceeded';

/**
 * A reply as it arrives. Blocks come in order, each whole when it is complete, its deltas before. A `tool_call` with
 * `invalid` had arguments that are no JSON object (`input` is then empty). The last event is `done`, or `error`: exactly
 * one of the two, exactly once, unless the signal was aborted, after which the stream ends without either.
 */
export type ModelEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'reasoning_delta'; readonly text: string }
  | { readonly type: 'tool_input_delta'; readonly id: string; readonly name: string; readonly bytes: number }
  | TextBlock
  | { readonly type: 'reasoning'; readonly text: string; readonly opaque?: Opaque | undefined }
  | { readonly type: 'provider_block'; readonly opaque: Opaque }
  | (ToolCallBlock & { readonly invalid?: string | undefined })
  | { readonly type: 'usage'; readonly usage: Usage }
  /** `cutCall`: the name of the call in whose arguments a `length` stop fell; that call is not reported as a `tool_call`. */
  | { readonly type: 'done'; readonly stop: StopReason; readonly cutCall?: string | undefined }
  | { readonly type: 'error'; readonly error: ModelError };

export interface ModelInfo {
  /** Without the provider's prefix. */
  readonly id: string;
  readonly name: string;
  /** Tokens; absent where the provider does not tell. */
  readonly contextWindow?: number | undefined;
  readonly maxOutput?: number | undefined;
  /** US dollars for a million tokens; absent where it is not known. */
  readonly price?: { readonly input: number; readonly output: number } | undefined;
  /** It can call tools; absent where the provider does not tell. */
  readonly tools?: boolean | undefined;
}

/**
 * A model API. A stream never throws: failures are its last event, `error`, and it does not retry by itself. Aborting
 * the signal closes the connection at once and ends the iteration without an exception.
 */
export interface ModelProvider {
  /** The prefix in `provider/model`. */
  readonly name: string;
  /** Names of tools that its models know from home; others are not offered them. */
  readonly tools?: readonly string[] | undefined;
  /** `hooks` see what this turn sends and gets; a provider without a wire has nothing to show them. */
  streamTurn(turn: Turn, signal: AbortSignal, hooks?: WireHooks): AsyncIterable<ModelEvent>;
  /** Rejects with `ModelFailure`. */
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /**
   * How it can be made anew: with what `createProvider` made it but for its key, and over which wire. Absent where it has no
   * wire of its own.
   */
  readonly origin?: ProviderOrigin | undefined;
  /** The tokens of the prompt as the provider itself counts them; absent where it does not. Rejects with `ModelFailure`. */
  countTokens?(turn: Turn, signal: AbortSignal): Promise<number>;
}

/** What a provider reaches its server with. */
export interface Wire {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

export interface ProviderOrigin {
  /** Plain data. */
  readonly entry: object;
  readonly baseUrl: string;
  readonly hasKey: boolean;
  /** The same, which remembers nothing of what its server has said, over what `bind` makes of its wire. */
  over(bind: (wire: Wire) => Wire): ModelProvider;
}

/** A `ModelError` where there is no stream to put it into. */
export class ModelFailure extends Error {
  constructor(readonly error: ModelError) {
    super(error.message);
  }
}
