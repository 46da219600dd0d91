import { say } from '../../../protocol/say.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ModelError } from '../../ports/model.ts';
import type { RequestContext } from './error-sentence.ts';

export interface AnthropicOptions {
  readonly apiKey: string;
  /** As the SDK means it: `/v1/messages` is appended. */
  readonly baseUrl?: string | undefined;
  readonly clock: Clock;
  /** A request is given up after so long without a byte, in milliseconds. */
  readonly idleTimeoutMs?: number | undefined;
  /** The global one where it is left out, looked up for each request, since VS Code puts its own there. */
  readonly fetch?: typeof fetch | undefined;
}

const BASE_URL = 'https://api.anthropic.com';

/** The server to ask. The SDK would look into the environment for another one. */
export function baseUrlOf({ baseUrl }: AnthropicOptions): string {
  return baseUrl || BASE_URL;
}

/** The key without the white space that is pasted with it. */
export function apiKeyOf({ apiKey }: AnthropicOptions): string {
  return apiKey.trim();
}

/** What the errors of a request are told with. */
export function contextOf(options: AnthropicOptions, model: string): RequestContext {
  return { model, baseUrl: baseUrlOf(options), apiKey: apiKeyOf(options), now: options.clock.now() };
}

/** Why no request can be made with these options. */
export function problemWith(options: AnthropicOptions): ModelError | undefined {
  const key = apiKeyOf(options);
  if (key === '')
    return noRequest('auth', say('There is no API key for Anthropic. Set one with “Harness: Set API Key”.'));
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return noRequest(
      'auth',
      say(
        'The API key for Anthropic has characters in it that no key has. Set it again with “Harness: Set API Key”.',
      ),
    );
  }
  if (!isAddress(baseUrlOf(options))) {
    return noRequest(
      'invalid_request',
      say(
        'The setting “harness.anthropic.baseUrl” is not an address. Write one like https://api.anthropic.com, without user and password.',
      ),
    );
  }
  return undefined;
}

function noRequest(kind: ModelError['kind'], message: string): ModelError {
  return { kind, message, retryable: false };
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
