import { say } from '../../../protocol/say.ts';
import type { ModelErrorKind } from '../../ports/model.ts';
import type { ErrorFacts, RequestContext } from './vendor.ts';

type Sentence = (about: RequestContext & ErrorFacts) => string;

/**
 * Messages to the user: what happened and, unless the error passes by itself, what to do. The loop's
 * `withRecoveryHint` adds the rest.
 */
const sentences: Readonly<Record<ModelErrorKind, Sentence>> = {
  auth: ({ vendor }) =>
    say('{0} rejected the API key. Set another one with “Harness: Set API Key”.', vendor.name),
  billing: ({ vendor, text }) =>
    say(
      '{0} rejected the request for this account{1}. Check your credits and spending limit.',
      vendor.name,
      quote(text),
    ),
  permission: ({ model, text }) =>
    say(
      'This API key has no access to “{0}”{1}. Choose another model with “Harness: Select Model”, or set another key with “Harness: Set API Key”.',
      model,
      quote(text),
    ),
  not_found: ({ vendor, model, text, baseUrl }) =>
    /model/i.test(text ?? '')
      ? say(
          '{0} does not know the model “{1}”. Choose another one with “Harness: Select Model”.',
          vendor.name,
          model,
        )
      : say('There is no {0} at {1}. Check the setting “{2}”.', vendor.api, hostOf(baseUrl), vendor.setting),
  invalid_request: ({ vendor, text, status, baseUrl }) =>
    status !== undefined && status < 400
      ? say(
          '{0} redirects requests to another address. Enter that address in the setting “{1}”.',
          hostOf(baseUrl),
          vendor.setting,
        )
      : say(
          '{0} rejected the request{1}. If this happens again, continue in a new session.',
          vendor.name,
          quote(text),
        ),
  request_too_large: ({ vendor }) =>
    say('The request is larger than {0} accepts. Continue in a new session, or attach less.', vendor.name),
  context_overflow: ({ model, text }) => tooLong(model, text),
  rate_limit: () => say('The rate limit of this API key is reached.'),
  overloaded: ({ vendor }) => say('{0} is overloaded.', vendor.name),
  server: ({ vendor, text, isNoReply, baseUrl }) =>
    isNoReply
      ? say(
          '{0} did not answer like the {1}. Check the setting “{2}” and the proxy.',
          hostOf(baseUrl),
          vendor.api,
          vendor.setting,
        )
      : say('{0} had an internal error{1}.', vendor.name, quote(text)),
  network: ({ vendor, baseUrl, text }) =>
    say(
      'The connection to {0} failed{1}. Check the network, the proxy and the setting “{2}”.',
      hostOf(baseUrl),
      quote(text),
      vendor.setting,
    ),
  timeout: ({ baseUrl, silentMs }) =>
    silentMs === undefined
      ? say('{0} took too long to answer.', hostOf(baseUrl))
      : say('{0} sent nothing for {1} seconds.', hostOf(baseUrl), Math.round(silentMs / 1000)),
  stream_incomplete: () => say('The response ended before it was complete.'),
  empty_response: ({ vendor, baseUrl }) =>
    say('{0} returned an empty response. Check the setting “{1}”.', hostOf(baseUrl), vendor.setting),
  tool_format: ({ vendor }) => say('The model wrote a tool call that {0} could not read.', vendor.name),
  tools_unsupported: ({ model }) =>
    say('“{0}” cannot use tools. Choose another model with “Harness: Select Model”.', model),
  thinking_unsupported: ({ model }) =>
    say(
      '“{0}” does not support reasoning. Set “harness.reasoningEffort” to “none”, or choose another model with “Harness: Select Model”.',
      model,
    ),
  refusal: () => say('The model declined this request. Rephrase your prompt.'),
};

export function sentenceOf(kind: ModelErrorKind, about: RequestContext & ErrorFacts): string {
  return about.vendor.sentences?.[kind]?.(about) ?? sentences[kind](about);
}

const MAX_QUOTE = 300;

/** `: ` and the server's message; empty without a message. */
export function quote(text = ''): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  if (line === '') return '';
  return `: ${line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}…` : line}`;
}

/** The forms in which servers report the length of a prompt and the limit. */
const LENGTHS = [
  // "prompt is too long: 210000 tokens > 200000 maximum"
  /(?<used>\d+) tokens > (?<limit>\d+)/,
  // "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens."
  /maximum context length is (?<limit>\d+)\b.*\b(resulted in|requested) (?<used>\d+)/s,
  // "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."
  /token count \((?<used>\d+)\) exceeds .*\((?<limit>\d+)\)/,
  // "… greater than the context length (n_keep: 13055>= n_ctx: 4096)."
  /n_keep: (?<used>\d+) ?>= ?n_ctx: (?<limit>\d+)/,
];

/** `text` is the server's message. The result has both lengths if `text` has them. */
export function tooLong(model: string, text = ''): string {
  const { used, limit } = LENGTHS.map((pattern) => pattern.exec(text)?.groups).find(Boolean) ?? {};
  return used && limit
    ? say(
        'The conversation is too long for “{0}” ({1} tokens; the limit is {2}). Use “Harness: Compact Conversation”, start a new session, or choose a model with a larger context window.',
        model,
        used,
        limit,
      )
    : say(
        'The conversation is too long for “{0}”. Use “Harness: Compact Conversation”, start a new session, or choose a model with a larger context window.',
        model,
      );
}

/** Shows only the host of an address, because the user may have put a password into the address. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'the base URL';
}
