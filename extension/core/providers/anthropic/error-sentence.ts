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

const SET_KEY = '“Harness: Set API Key”';
const SELECT_MODEL = '“Harness: Select Model”';
const BASE_URL = 'the setting “harness.anthropic.baseUrl”';

/** For the user: what happened, and what to do where something can be done. */
export const sentences: Readonly<Record<ModelErrorKind, Sentence>> = {
  auth: () => `Anthropic did not accept the API key. Set another one with ${SET_KEY}.`,
  billing: ({ text }) =>
    `Anthropic does not serve this account now${quote(text)}. Look after credit and spend limits in the Claude Console.`,
  permission: ({ model, text }) =>
    `This API key may not use “${model}”${quote(text)}. Choose another model with ${SELECT_MODEL} or set another key with ${SET_KEY}.`,
  not_found: ({ model, text, baseUrl }) =>
    /model/i.test(text ?? '')
      ? `Anthropic does not know the model “${model}”. Choose another one with ${SELECT_MODEL}.`
      : `There is no Claude API at ${hostOf(baseUrl)}. Check ${BASE_URL}.`,
  invalid_request: ({ text, status, baseUrl }) =>
    status !== undefined && status < 400
      ? `${hostOf(baseUrl)} sends requests on to another address. Put that address into ${BASE_URL}.`
      : `Anthropic refused the request${quote(text)}. Go on in a new session if it happens again.`,
  request_too_large: () =>
    'The request is larger than the 32 MB that Anthropic accepts. Go on in a new session, or attach less.',
  context_overflow: ({ model, text }) =>
    `The conversation is too long for “${model}”${tokensIn(text)}. Start a new session, or pick a model with a larger context window.`,
  rate_limit: () => 'The rate limit of this API key is reached.',
  overloaded: () => 'Claude is overloaded.',
  server: ({ text, isNoReply, baseUrl }) =>
    isNoReply
      ? `${hostOf(baseUrl)} did not answer like the Claude API. Check ${BASE_URL} and the proxy.`
      : `Anthropic had an internal error${quote(text)}. Try again in a moment.`,
  network: ({ baseUrl, text }) =>
    `The connection to ${hostOf(baseUrl)} failed${quote(text)}. Check the network, the proxy and ${BASE_URL}.`,
  timeout: ({ baseUrl, silentMs }) =>
    silentMs === undefined
      ? `${hostOf(baseUrl)} took too long to answer.`
      : `Nothing came from ${hostOf(baseUrl)} for ${Math.round(silentMs / 1000)} seconds.`,
  stream_incomplete: () => 'The reply broke off before its end.',
  empty_response: ({ baseUrl }) => `The answer of ${hostOf(baseUrl)} was empty. Check ${BASE_URL}.`,
  refusal: () => 'Claude declined this request.',
};

const MAX_QUOTE = 300;

function quote(text = ''): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  if (line === '') return '';
  return `: ${line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}…` : line}`;
}

/** From "prompt is too long: 210000 tokens > 200000 maximum". */
function tokensIn(text = ''): string {
  const [, used, limit] = /(\d+) tokens > (\d+)/.exec(text) ?? [];
  return used && limit ? ` (${used} tokens, and it takes ${limit})` : '';
}

/** Never more of an address: a user may have put a password into it. */
function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'the base URL';
}
