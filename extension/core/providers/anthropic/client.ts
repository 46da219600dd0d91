import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import type {
  MessageCountTokensParams,
  MessageCreateParamsStreaming,
  MessageTokensCount,
} from '@anthropic-ai/sdk/resources/messages';
import { Models } from '@anthropic-ai/sdk/resources/models';
import type { WireEvent } from './from-stream.ts';
import { ANTHROPIC } from './options.ts';

interface RequestOptions {
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/**
 * The SDK's client with what is in use of it: the whole one would be three times as large. `Messages` is left out too,
 * which brings its batches, its own reader of streams and their traces along.
 */
export class AnthropicClient extends BaseAnthropic {
  readonly models = new Models(this);

  /** The events as they were sent, of which a WireEvent takes less for granted than the SDK's type. */
  streamMessage(
    body: MessageCreateParamsStreaming,
    options: RequestOptions,
  ): PromiseLike<AsyncIterable<WireEvent>> {
    return this.post('/v1/messages', { ...options, body, stream: true });
  }

  countTokens(body: MessageCountTokensParams, options: RequestOptions): PromiseLike<MessageTokensCount> {
    return this.post('/v1/messages/count_tokens', { ...options, body });
  }
}

/**
 * A client that sends each request once and logs nothing. A redirect is not followed: it would carry the conversation
 * to an address that nobody chose.
 */
export function createClient(apiKey: string, baseURL: string, fetchWith: typeof fetch): AnthropicClient {
  return new AnthropicClient({
    apiKey,
    baseURL,
    // Servers that speak an older version of the API look for the key there.
    ...(baseURL !== ANTHROPIC.baseUrl && { defaultHeaders: { 'x-api-key': apiKey } }),
    fetch: fetchWith,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    webhookKey: null,
    fetchOptions: { redirect: 'manual' },
  });
}
