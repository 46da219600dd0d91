import type { ModelErrorKind } from '../../ports/model.ts';
import type { ServerWords } from './server-words.ts';

/** https://platform.claude.com/docs/en/api/errors; a type that says less than the status is not in it. */
const KIND_BY_TYPE = new Map<string, ModelErrorKind>([
  ['authentication_error', 'auth'],
  ['billing_error', 'billing'],
  ['permission_error', 'permission'],
  ['not_found_error', 'not_found'],
  ['request_too_large', 'request_too_large'],
  ['rate_limit_error', 'rate_limit'],
  ['overloaded_error', 'overloaded'],
  ['timeout_error', 'timeout'],
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

/**
 * "prompt is too long: 210000 tokens > 200000 maximum", "input length and `max_tokens` exceed context limit", and the
 * words of gateways. The same status and type are used for many other faults.
 */
const CONTEXT_WORDING =
  /prompt is too long|exceeds? (the )?(available )?context|maximum context length|context window exceed/i;

/** "Your credit balance is too low", "You have reached your specified (workspace) API usage limits": sent with 400. */
const BILLING_WORDING = /credit balance|reached your specified .*usage limits|spend(ing)? limit/i;

/** Sent with 429: a bill to be paid, not a pace to be kept. */
const BILLING_CODES = new Set(['contract_spend_limit_reached', 'enforced_spend_limit_reached']);

const RETRYABLE = new Set<ModelErrorKind>([
  'rate_limit',
  'overloaded',
  'server',
  'network',
  'timeout',
  'stream_incomplete',
  'empty_response',
]);

/** What kind of refusal this is. An error in the middle of a stream has no status; then its type decides. */
export function kindOf(
  status: number | undefined,
  { type = '', code = '', text }: ServerWords,
): ModelErrorKind {
  if (CONTEXT_WORDING.test(text)) return 'context_overflow';
  if (BILLING_CODES.has(code) || BILLING_WORDING.test(text)) return 'billing';
  const known = KIND_BY_TYPE.get(type) ?? KIND_BY_STATUS.get(status ?? 0);
  if (known) return known;
  const isOurs = status === undefined ? type === 'invalid_request_error' : status < 500;
  return isOurs ? 'invalid_request' : 'server';
}

/** The same request may succeed later. */
export function isRetryable(kind: ModelErrorKind): boolean {
  return RETRYABLE.has(kind);
}
