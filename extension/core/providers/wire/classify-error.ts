import { type ModelError, type ModelErrorKind, ModelFailure } from '../../ports/model.ts';
import { withoutKey } from '../../secrets/key-redaction.ts';
import { readServerWords, type ServerWords } from './error-body.ts';
import { isRetryable, kindOf } from './error-kind.ts';
import { sentenceOf } from './error-message.ts';
import { parseJson } from './json.ts';
import type { ErrorFacts, RequestContext } from './vendor.ts';

/** The events violate the grammar of a stream, so a part of it was lost. */
export class DamagedStreamError extends Error {}

/** The reply is complete and empty. */
export class EmptyReplyError extends Error {}

/** A server refused: with a status, or in the middle of a stream without one. */
export class ServerRefusal extends Error {
  constructor(
    readonly words: ServerWords,
    readonly answer: ErrorResponse = {},
  ) {
    super(words.text);
  }
}

interface ErrorResponse {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
}

/** An error of this kind, with its message to the user. */
export function toModelError(
  kind: ModelErrorKind,
  context: RequestContext,
  facts: ErrorFacts = {},
): ModelError {
  const { apiKey } = context;
  // Removes the key before the text is cut for a quote, because half a key would not be recognized.
  const text = withoutKey(facts.text ?? '', apiKey);
  const message = withoutKey(sentenceOf(kind, { ...context, ...facts, text }), apiKey);
  return { kind, message, retryable: isRetryable(kind) };
}

/** Classifies an error that was thrown while a request was sent or its answer read. */
export function classifyError(error: unknown, context: RequestContext): ModelError {
  if (error instanceof ModelFailure) return error.error;
  if (error instanceof ServerRefusal) return classifyRefusal(error.answer, error.words, context);
  if (error instanceof DamagedStreamError || error instanceof SyntaxError) {
    return toModelError('stream_incomplete', context);
  }
  if (error instanceof EmptyReplyError) return toModelError('empty_response', context);
  return classifyConnection(error, context);
}

/** Classifies a body with status 200 and no events, because proxies hide errors in such bodies. */
export function classifyBody(text: string, context: RequestContext): ModelError {
  if (text.trim() === '') return toModelError('empty_response', context);
  const words = readServerWords(parseJson(text));
  if (words) return classifyRefusal({}, words, context);
  if (!/^\s*[<{[]/.test(text)) return toModelError('stream_incomplete', context);
  return toModelError('server', context, { isNoReply: true });
}

export function classifyRefusal(
  { status, headers }: ErrorResponse,
  words: ServerWords,
  context: RequestContext,
): ModelError {
  const { type, code, text } = words;
  const own = context.vendor.kinds?.find(([pattern]) => pattern.test([type, code, text].join(' ')));
  const error = toModelError(own?.[1] ?? kindOf(status, words), context, { text, status });
  const retryAfterMs = waitOf(headers, words, error.kind, context.now);
  return {
    ...error,
    retryable: wantsRetry(headers) ?? error.retryable,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Reads the body of an error status. Harness never quotes an HTML page. */
export function serverWordsIn(body: string): ServerWords {
  return readServerWords(parseJson(body)) ?? { text: /[<{]/.test(body) ? '' : body };
}

function waitOf(
  headers: Headers | undefined,
  { text }: ServerWords,
  kind: ModelErrorKind,
  now: number,
): number | undefined {
  const asked = headers && retryAfter(headers, now);
  if (asked !== undefined || kind !== 'rate_limit') return asked;
  return (headers && limitReset(headers, now)) ?? spokenWait(text);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** "Rate limit reached … Please try again in 11.054s." */
function spokenWait(text: string): number | undefined {
  const [, amount, unit = ''] = /try again in (\d+(?:\.\d+)?)\s*(ms|s|m)/i.exec(text) ?? [];
  return amount === undefined ? undefined : Math.ceil(Number(amount) * (UNITS[unit.toLowerCase()] ?? 1000));
}

/** The server's explicit statement, which the vendors' SDKs also follow. */
function wantsRetry(headers: Headers | undefined): boolean | undefined {
  const wish = headers?.get('x-should-retry');
  return wish === 'true' || wish === 'false' ? wish === 'true' : undefined;
}

function classifyConnection(error: unknown, context: RequestContext): ModelError {
  const code = causeCode(error);
  const isTimeout = /TIMEDOUT|TIMEOUT/.test(code) || (error instanceof Error && /Timeout/.test(error.name));
  const facts = { text: code || (error instanceof Error ? error.message : '') };
  const classified = toModelError(isTimeout ? 'timeout' : 'network', context, facts);
  // A retry does not make a certificate trusted.
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) ? { ...classified, retryable: false } : classified;
}

/** Finds the system's code (ECONNREFUSED), which may be anywhere in the chain of causes. */
function causeCode(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return '';
}

const LIMITS = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;
const SPANS = ['requests', 'tokens'] as const;

/**
 * The wait that the server asks for, in milliseconds from `now` (milliseconds since the epoch). Undefined if
 * the server sends none, or an invalid one.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  return (
    number(headers.get('retry-after-ms')) ??
    seconds(headers.get('retry-after')) ??
    until(headers.get('retry-after'), now)
  );
}

/**
 * The wait until the latest reset of the exhausted limits. Every answer has these headers, so they mean a
 * wait only if a limit was the reason. https://platform.claude.com/docs/en/api/rate-limits
 */
export function limitReset(headers: Headers, now: number): number | undefined {
  const waits = [
    ...usedUp(headers, LIMITS, 'anthropic-ratelimit-$-remaining').map((limit) =>
      until(headers.get(`anthropic-ratelimit-${limit}-reset`), now),
    ),
    ...usedUp(headers, SPANS, 'x-ratelimit-remaining-$').map((limit) =>
      span(headers.get(`x-ratelimit-reset-${limit}`)),
    ),
  ].filter((wait) => wait !== undefined);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/** The limits with nothing remaining, or without that header. `$` stands for the name of a limit. */
function usedUp(headers: Headers, limits: readonly string[], name: string): string[] {
  return limits.filter((limit) => !number(headers.get(name.replace('$', limit))));
}

const SPAN = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/;

/** "6m0s", "12ms": https://developers.openai.com/api/docs/guides/rate-limits */
function span(value: string | null): number | undefined {
  const parts = value ? SPAN.exec(value) : null;
  if (!parts) return undefined;
  const [hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  return Math.ceil(((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds);
}

function number(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function seconds(value: string | null): number | undefined {
  const amount = number(value);
  return amount === undefined ? undefined : amount * 1000;
}

/** Parses an HTTP date or RFC 3339. Undefined for a time in the past. */
function until(date: string | null, now: number): number | undefined {
  // `Date.parse` reads "-1" and "5x" as years.
  const time = date !== null && /\d:\d\d/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
