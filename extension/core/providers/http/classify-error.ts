import { type ModelError, type ModelErrorKind, ModelFailure } from '../../ports/model.ts';
import { isRetryable, kindOf } from './error-kind.ts';
import { type ErrorFacts, sentenceOf } from './error-sentence.ts';
import { parseJson } from './parse-json.ts';
import { limitReset, retryAfter } from './retry-after.ts';
import { readServerWords, type ServerWords } from './server-words.ts';
import type { RequestContext } from './vendor.ts';
import { withoutKey } from './without-key.ts';

/** The events break the grammar of a stream: something of it was lost. */
export class DamagedStreamError extends Error {}

/** The reply is complete and has nothing in it. */
export class EmptyReplyError extends Error {}

/** A server said no: with a status, or in the middle of a stream without one. */
export class ServerRefusal extends Error {
  constructor(
    readonly words: ServerWords,
    readonly answer: Answer = {},
  ) {
    super(words.text);
  }
}

export interface Answer {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
}

/** An error of this kind, with its sentence for the user. */
export function toModelError(
  kind: ModelErrorKind,
  context: RequestContext,
  facts: ErrorFacts = {},
): ModelError {
  const { apiKey } = context;
  // Before it is cut to a quote: a part of a key would not be known as one.
  const text = withoutKey(facts.text ?? '', apiKey);
  const message = withoutKey(sentenceOf(kind, { ...context, ...facts, text }), apiKey);
  return { kind, message, retryable: isRetryable(kind) };
}

/** What went wrong, from whatever was thrown while a request was sent or its answer read. */
export function classifyError(error: unknown, context: RequestContext): ModelError {
  if (error instanceof ModelFailure) return error.error;
  if (error instanceof ServerRefusal) return classifyRefusal(error.answer, error.words, context);
  if (error instanceof DamagedStreamError || error instanceof SyntaxError) {
    return toModelError('stream_incomplete', context);
  }
  if (error instanceof EmptyReplyError) return toModelError('empty_response', context);
  return classifyConnection(error, context);
}

/** The body of an answer with status 200 in which no event was found: proxies hide errors in such. */
export function classifyBody(text: string, context: RequestContext): ModelError {
  if (text.trim() === '') return toModelError('empty_response', context);
  const words = readServerWords(parseJson(text));
  if (words) return classifyRefusal({}, words, context);
  if (!/^\s*[<{[]/.test(text)) return toModelError('stream_incomplete', context);
  return toModelError('server', context, { isNoReply: true });
}

export function classifyRefusal(
  { status, headers }: Answer,
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

/** What a body says that came with an error's status. A page of HTML is nothing to quote. */
export function wordsOf(body: string): ServerWords {
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

/** The server's own opinion, which the vendors' SDKs would follow too. */
function wantsRetry(headers: Headers | undefined): boolean | undefined {
  const wish = headers?.get('x-should-retry');
  return wish === 'true' || wish === 'false' ? wish === 'true' : undefined;
}

function classifyConnection(error: unknown, context: RequestContext): ModelError {
  const code = causeCode(error);
  const isTimeout = /TIMEDOUT|TIMEOUT/.test(code) || (error instanceof Error && /Timeout/.test(error.name));
  const facts = { text: code || (error instanceof Error ? error.message : '') };
  const classified = toModelError(isTimeout ? 'timeout' : 'network', context, facts);
  // A certificate does not become trusted by trying again.
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) ? { ...classified, retryable: false } : classified;
}

/** The system's code (ECONNREFUSED) lies somewhere in the chain of causes. */
function causeCode(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return '';
}
