import type { ModelErrorKind } from '../../ports/model.ts';
import type { ServerWords } from './error-body.ts';

/** Kinds by `type` or `code` of an error. Leaves out words that say less than the status. */
const KIND_BY_WORD = new Map<string, ModelErrorKind>([
  // https://platform.claude.com/docs/en/api/errors
  ['authentication_error', 'auth'],
  ['billing_error', 'billing'],
  ['permission_error', 'permission'],
  ['not_found_error', 'not_found'],
  ['request_too_large', 'request_too_large'],
  ['rate_limit_error', 'rate_limit'],
  ['overloaded_error', 'overloaded'],
  ['timeout_error', 'timeout'],
  // Sent with 429, but means a bill to pay, not a rate limit.
  ['contract_spend_limit_reached', 'billing'],
  ['enforced_spend_limit_reached', 'billing'],
  // https://developers.openai.com/api/docs/guides/error-codes
  ['invalid_api_key', 'auth'],
  ['insufficient_quota', 'billing'],
  ['usage_not_included', 'billing'],
  ['billing_hard_limit_reached', 'billing'],
  ['model_not_found', 'not_found'],
  ['rate_limit_exceeded', 'rate_limit'],
  ['tokens_exceeded', 'rate_limit'],
  ['server_is_overloaded', 'overloaded'],
  ['slow_down', 'overloaded'],
  ['server_error', 'server'],
  ['context_length_exceeded', 'context_overflow'],
  ['exceed_context_size_error', 'context_overflow'],
  ['tool_use_failed', 'tool_format'],
  // Sent by a filter before the model, as OpenAI and Azure do.
  ['content_filter', 'refusal'],
  ['content_policy_violation', 'refusal'],
  ['cyber_policy', 'refusal'],
]);

const KIND_BY_STATUS = new Map<number, ModelErrorKind>([
  [401, 'auth'],
  [402, 'billing'],
  [403, 'permission'],
  [404, 'not_found'],
  [408, 'timeout'],
  [409, 'server'],
  [413, 'request_too_large'],
  [429, 'rate_limit'],
  [503, 'overloaded'],
  [504, 'timeout'],
  [529, 'overloaded'],
]);

/** The wordings of vendors, servers and gateways. They use the same status and type for many other errors. */
const CONTEXT_WORDING = new RegExp(
  [
    'prompt is too long',
    'exceeds? (the )?(available |model.s )?context',
    'maximum context length',
    'context window exceed',
    'exceeds the context window',
    'input token count .* exceeds the maximum',
    'maximum prompt length is',
    'reduce the length of the messages',
    'greater than the context length',
    'context (the )?overflows',
    'exceeded model token limit',
    'longer than the context length',
    'prompt is longer than the context',
    'exceeds the limit of \\d+',
  ].join('|'),
  'i',
);

/** "Your credit balance is too low", "You have reached your specified (workspace) API usage limits": sent with 400. */
const BILLING_WORDING =
  /credit balance|reached your specified .*usage limits|spend(ing)? limit|exceeded your current quota/i;

/** "Invalid prompt: your prompt was flagged as potentially violating our usage policy." */
const REFUSAL_WORDING = /flagged as (potentially )?violating|content management policy/i;

const TOOLS_WORDING = /does not support tools|no endpoints found that support tool/i;
const THINKING_WORDING = /does not support thinking/i;

const RETRYABLE = new Set<ModelErrorKind>([
  'rate_limit',
  'overloaded',
  'server',
  'network',
  'timeout',
  'stream_incomplete',
  'empty_response',
  'tool_format',
]);

/** The kind of a refusal. An error in the middle of a stream has no status, so its words decide. */
export function kindOf(status: number | undefined, words: ServerWords): ModelErrorKind {
  const { type = '', code = '', text } = words;
  if (CONTEXT_WORDING.test(text)) return 'context_overflow';
  if (BILLING_WORDING.test(text)) return 'billing';
  if (REFUSAL_WORDING.test(text)) return 'refusal';
  if (TOOLS_WORDING.test(text)) return 'tools_unsupported';
  if (THINKING_WORDING.test(text)) return 'thinking_unsupported';
  const reported = status ?? words.status;
  const known = KIND_BY_WORD.get(code) ?? KIND_BY_WORD.get(type) ?? KIND_BY_STATUS.get(reported ?? 0);
  if (known) return known;
  const isOurs = reported === undefined ? type === 'invalid_request_error' : reported < 500;
  return isOurs ? 'invalid_request' : 'server';
}

/** The same request may succeed later. */
export function isRetryable(kind: ModelErrorKind): boolean {
  return RETRYABLE.has(kind);
}
