import type { ContextKind } from '../../protocol/context-kind.ts';
import type { Opaque } from '../../protocol/events.ts';
import type { Clock } from './clock.ts';
import type { WireHooks } from './wire-hooks.ts';

/** A tool as the model sees it. `inputSchema` is JSON Schema with `type: "object"` at the top. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /**
   * For models that take free-form tools: the input is one text in this grammar. The schema then has one
   * string, `input`. Any other model calls the tool with it, and a `tool_call` carries it in either case.
   */
  readonly freeform?: { readonly syntax: 'lark'; readonly definition: string } | undefined;
}

/** Only what the model sees of a tool. */
export function specOf({ name, description, inputSchema, freeform }: ToolSpec): ToolSpec {
  return { name, description, inputSchema, ...(freeform && { freeform }) };
}

/** What a session gives the model in addition to its prompts. */
export interface ContextBlock {
  readonly type: 'context';
  readonly kind: ContextKind;
  /** The whole text, with its tags. */
  readonly text: string;
}

/** The media type of an image by the extension of its name. */
export const IMAGE_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
} as const;

export interface ImageBlock {
  readonly type: 'image';
  /** Identifies the image. */
  readonly name: string;
  readonly mediaType: (typeof IMAGE_TYPES)[keyof typeof IMAGE_TYPES];
  /** Base64. Absent if the image is missing, and before it is read for a request. */
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
      /** What the model sees with the result. */
      readonly images?: readonly ImageBlock[] | undefined;
    };

interface ToolCallBlock {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The provider's own data, which must go back to it with the call. */
  readonly opaque?: Opaque | undefined;
}

interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  /** Text before a call; not part of the answer. */
  readonly preamble?: true | undefined;
  readonly opaque?: Opaque | undefined;
}

export type AssistantBlock =
  | TextBlock
  | { readonly type: 'reasoning'; readonly text: string; readonly opaque?: Opaque | undefined }
  | { readonly type: 'provider_block'; readonly opaque: Opaque }
  | ToolCallBlock;

/** A provider-neutral message. Blocks are in the order in which they were received. */
export type Message =
  | { readonly role: 'user'; readonly content: readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] };

/**
 * One request. Between two turns of a session, only `messages` grows, at its end (prompt caches and signed
 * thinking need it).
 */
export interface Turn {
  /** The model's id as the provider knows it, without the provider's prefix. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly maxTokens: number;
  /** Reasoning effort; absent for the model's own default. */
  readonly effort?: Effort | undefined;
  /** The session's id, which groups requests in the provider's cache. */
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
  /** The part of `outputTokens` used for thinking; absent if the provider does not report it. */
  readonly reasoningTokens?: number | undefined;
  /** US dollars; absent if the price is unknown. */
  readonly cost?: number | undefined;
  /** Harness estimated the tokens that the provider did not count. */
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
  /** The model made an error in the format of its tool calls; another attempt may succeed. */
  | 'tool_format'
  | 'tools_unsupported'
  | 'thinking_unsupported'
  | 'refusal';

export interface ModelError {
  readonly kind: ModelErrorKind;
  /** A sentence for the user: what happened and what to do. */
  readonly message: string;
  /** Worth sending again unchanged. The code that creates the error decides this. */
  readonly retryable: boolean;
  /** The wait that the server asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly status?: number | undefined;
}

export type StopReason = 'end' | 'tool_calls' | 'length' | 'pause' | 'refusal' | 'context_exceeded';

/**
 * A reply as it arrives. Blocks come in order, each whole when it is complete, after its deltas. A
 * `tool_call` with `invalid` had arguments that are not a JSON object; its `input` is empty. The stream ends
 * with exactly one `done` or `error`. After the signal was aborted, it ends without either.
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
  /** A remark on the reply, for the user. */
  | { readonly type: 'notice'; readonly message: string }
  /**
   * `cutCall`: the name of the call in whose arguments a `length` stop fell. That call is not reported as a
   * `tool_call`.
   */
  | { readonly type: 'done'; readonly stop: StopReason; readonly cutCall?: string | undefined }
  | { readonly type: 'error'; readonly error: ModelError };

export interface ModelInfo {
  /** Without the provider's prefix. */
  readonly id: string;
  readonly name: string;
  /** Tokens; absent if the provider does not report it. */
  readonly contextWindow?: number | undefined;
  readonly maxOutput?: number | undefined;
  /** US dollars per million tokens; absent if unknown. */
  readonly price?: { readonly input: number; readonly output: number } | undefined;
  /** Whether it can call tools; absent if the provider does not report it. */
  readonly tools?: boolean | undefined;
}

/**
 * A model API. A stream never throws: its last event, `error`, reports a failure. It does not retry by
 * itself. Aborting the signal closes the connection immediately and ends the iteration without an exception.
 */
export interface ModelProvider {
  /** The prefix in `provider/model`. */
  readonly name: string;
  /** Names of tools that its models were trained with. Other models do not get them. */
  readonly tools?: readonly string[] | undefined;
  /** Tokens of the model's window, as far as the provider knows it without a request. */
  contextWindow?(model: string): number | undefined;
  /** `hooks` see what this turn sends and receives. A provider without a wire does not call them. */
  streamTurn(turn: Turn, signal: AbortSignal, hooks?: WireHooks): AsyncIterable<ModelEvent>;
  /** Rejects with `ModelFailure`. */
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /**
   * How to recreate the provider: the arguments of `createProvider` except the key, and its wire. Absent if
   * it has no wire of its own.
   */
  readonly origin?: ProviderOrigin | undefined;
  /**
   * The tokens of the prompt as the provider itself counts them; absent if it cannot. Rejects with
   * `ModelFailure`.
   */
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
  /**
   * A new provider of the same kind over the wire that `bind` returns for its wire. It keeps no state from
   * its server's earlier responses.
   */
  over(bind: (wire: Wire) => Wire): ModelProvider;
}

/** A `ModelError` where there is no stream to put it into. */
export class ModelFailure extends Error {
  constructor(readonly error: ModelError) {
    super(error.message);
  }
}
