import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { APIConnectionError, APIError } from '@anthropic-ai/sdk/error';
import type {
  MessageCountTokensParams,
  MessageCreateParamsStreaming,
  MessageTokensCount,
} from '@anthropic-ai/sdk/resources/messages';
import { Models } from '@anthropic-ai/sdk/resources/models';
import { ServerRefusal } from '../wire/classify-error.ts';
import { readServerWords, type ServerWords } from '../wire/error-body.ts';
import type { WireEvent } from './from-stream.ts';
import { ANTHROPIC } from './options.ts';

interface RequestOptions {
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/**
 * The SDK's client with only the parts that Harness uses: the whole one would be three times as large. Also
 * leaves out `Messages`, which would add its batches, its own stream reader and their traces.
 */
export class AnthropicClient extends BaseAnthropic {
  readonly models = new Models(this);

  /** The events as they were sent. `WireEvent` assumes less than the SDK's type. */
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
 * A client that sends each request once and logs nothing. It does not follow a redirect, because that would
 * send the conversation to an address that the user did not choose.
 */
export function createClient(apiKey: string, baseURL: string, fetchWith: typeof fetch): AnthropicClient {
  return new AnthropicClient({
    apiKey,
    baseURL,
    // Servers with an older version of the API expect the key there.
    ...(baseURL !== ANTHROPIC.baseUrl && { defaultHeaders: { 'x-api-key': apiKey } }),
    fetch: fetchWith,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    webhookKey: null,
    fetchOptions: { redirect: 'manual' },
  });
}

/**
 * Converts an error of the SDK to a refusal if a server refused the request. Returns any other error
 * unchanged.
 */
export function asHttpRefusal(error: unknown): unknown {
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return error;
  return new ServerRefusal(wordsOf(error), { status: error.status, headers: error.headers });
}

/**
 * The API refused a thinking block that Harness sent back: "Invalid `signature` in `thinking` block. The
 * block is bound to a different conversation.", "`thinking` or `redacted_thinking` blocks in the latest
 * assistant message cannot be modified."
 */
export function refusesThinking(error: unknown): boolean {
  if (!(error instanceof APIError) || error.status !== 400) return false;
  return /bound to a different|`?signature`? in `?thinking|`?thinking`? blocks .*cannot be modified/i.test(
    wordsOf(error).text,
  );
}

function wordsOf(error: APIError): ServerWords {
  const words = readServerWords(error.error);
  if (words) return words;
  // For a body that is not JSON, the SDK's message is the status and the body. Harness never quotes an HTML
  // page.
  const text = error.message.replace(/^\d{3} /, '');
  return { text: /[<{]|status code \(no body\)/.test(text) ? '' : text };
}
