import { say } from '../../../protocol/say.ts';
import type { ModelErrorKind } from '../../ports/model.ts';

/** What a failed request was about. */
export interface RequestContext {
  readonly model: string;
  readonly baseUrl: string;
  /** Kept out of every message. */
  readonly apiKey: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What is known of a failure beyond its kind. */
export interface ErrorFacts {
  /** The server's own words, or an error code of the system. */
  readonly text?: string | undefined;
  readonly status?: number | undefined;
  /** The answer was something else than a reply. */
  readonly isNoReply?: boolean | undefined;
  /** The server was silent for so long. */
  readonly silentMs?: number | undefined;
}

type Sentence = (about: RequestContext & ErrorFacts) => string;

/** For the user: what happened, and what to do where something can be done. */
export const sentences: Readonly<Record<ModelErrorKind, Sentence>> = {
  auth: () => say('Anthropic did not accept the API key. Set another one with “Harness: Set API Key”.'),
  billing: ({ text }) =>
    say(
      'Anthropic does not serve this account now{0}. Look after credit and spend limits in the Claude Console.',
      quote(text),
    ),
  permission: ({ model, text }) =>
    say(
      'This API key may not use “{0}”{1}. Choose another model with “Harness: Select Model” or set another key with “Harness: Set API Key”.',
      model,
      quote(text),
    ),
  not_found: ({ model, text, baseUrl }) =>
    /model/i.test(text ?? '')
      ? say(
          'Anthropic does not know the model “{0}”. Choose another one with “Harness: Select Model”.',
          model,
        )
      : say('There is no Claude API at {0}. Check the setting “harness.anthropic.baseUrl”.', hostOf(baseUrl)),
  invalid_request: ({ text, status, baseUrl }) =>
    status !== undefined && status < 400
      ? say(
          '{0} sends requests on to another address. Put that address into the setting “harness.anthropic.baseUrl”.',
          hostOf(baseUrl),
        )
      : say('Anthropic refused the request{0}. Go on in a new session if it happens again.', quote(text)),
  request_too_large: () =>
    say(
      'The request is larger than the 32 MB that Anthropic accepts. Go on in a new session, or attach less.',
    ),
  context_overflow: ({ model, text }) => tooLong(model, text),
  rate_limit: () => say('The rate limit of this API key is reached.'),
  overloaded: () => say('Claude is overloaded.'),
  server: ({ text, isNoReply, baseUrl }) =>
    isNoReply
      ? say(
          '{0} did not answer like the Claude API. Check the setting “harness.anthropic.baseUrl” and the proxy.',
          hostOf(baseUrl),
        )
      : say('Anthropic had an internal error{0}. Try again in a moment.', quote(text)),
  network: ({ baseUrl, text }) =>
    say(
      'The connection to {0} failed{1}. Check the network, the proxy and the setting “harness.anthropic.baseUrl”.',
      hostOf(baseUrl),
      quote(text),
    ),
  timeout: ({ baseUrl, silentMs }) =>
    silentMs === undefined
      ? say('{0} took too long to answer.', hostOf(baseUrl))
      : say('Nothing came from {0} for {1} seconds.', hostOf(baseUrl), Math.round(silentMs / 1000)),
  stream_incomplete: () => say('The reply broke off before its end.'),
  empty_response: ({ baseUrl }) =>
    say('The answer of {0} was empty. Check the setting “harness.anthropic.baseUrl”.', hostOf(baseUrl)),
  refusal: () => say('Claude declined this request.'),
};

const MAX_QUOTE = 300;

function quote(text = ''): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  if (line === '') return '';
  return `: ${line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}…` : line}`;
}

/** The numbers stand in "prompt is too long: 210000 tokens > 200000 maximum". */
function tooLong(model: string, text = ''): string {
  const [, used, limit] = /(\d+) tokens > (\d+)/.exec(text) ?? [];
  return used && limit
    ? say(
        'The conversation is too long for “{0}” ({1} tokens, and it takes {2}). Start a new session, or pick a model with a larger context window.',
        model,
        used,
        limit,
      )
    : say(
        'The conversation is too long for “{0}”. Start a new session, or pick a model with a larger context window.',
        model,
      );
}

/** Never more of an address: a user may have put a password into it. */
function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'the base URL';
}
