import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/messages';
import { Models } from '@anthropic-ai/sdk/resources/models';

/** The SDK's client with the two resources in use: the whole one would be three times as large. */
export class AnthropicClient extends BaseAnthropic {
  readonly messages = new Messages(this);
  readonly models = new Models(this);
}

/**
 * A client that sends each request once and logs nothing. A redirect is not followed: it would carry the conversation
 * to an address that nobody chose.
 */
export function createClient(apiKey: string, baseURL: string, fetchWith: typeof fetch): AnthropicClient {
  return new AnthropicClient({
    apiKey,
    baseURL,
    fetch: fetchWith,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    webhookKey: null,
    fetchOptions: { redirect: 'manual' },
  });
}
