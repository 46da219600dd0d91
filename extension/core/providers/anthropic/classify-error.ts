import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk/error';
import type { ModelError, ModelErrorKind } from '../../ports/model.ts';
import { isRetryable, kindOf } from './error-kind.ts';
import { type ErrorFacts, type RequestContext, sentences } from './error-sentence.ts';
import { DamagedStreamError } from './finished-block.ts';
import { limitReset, retryAfter } from './retry-after.ts';
import { readServerWords, type ServerWords } from './server-words.ts';
import { withoutKey } from './without-key.ts';

/** An error of this kind, with its sentence for the user. */
export function toModelError(
  kind: ModelErrorKind,
  context: RequestContext,
  facts: ErrorFacts = {},
): ModelError {
  const message = withoutKey(sentences[kind]({ ...context, ...facts }), context.apiKey);
  return { kind, message, retryable: isRetryable(kind) };
}

/** What went wrong, from whatever the SDK or the stream threw. */
export function classifyError(error: unknown, context: RequestContext): ModelError {
  if (error instanceof DamagedStreamError || error instanceof SyntaxError) {
    return toModelError('stream_incomplete', context);
  }
  if (error instanceof APIError && !(error instanceof APIConnectionError)) {
    return classifyRefusal(error, wordsOf(error), context);
  }
  return classifyConnection(error, context);
}

/** The body of an answer with status 200 in which no event was found: proxies hide errors in such. */
export function classifyBody(text: string, context: RequestContext): ModelError {
  if (text.trim() === '') return toModelError('empty_response', context);
  const words = readServerWords(parse(text));
  if (words) return classifyRefusal({}, words, context);
  if (!/^\s*[<{[]/.test(text)) return toModelError('stream_incomplete', context);
  return toModelError('server', context, { isNoReply: true });
}

/**
 * A replayed thinking block was not accepted: "Invalid `signature` in `thinking` block. The block is bound to a different
 * conversation.", "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified."
 */
export function refusesThinking(error: unknown): boolean {
  if (!(error instanceof APIError) || error.status !== 400) return false;
  const { text } = wordsOf(error);
  return /bound to a different|`?signature`? in `?thinking|`?thinking`? blocks .*cannot be modified/i.test(
    text,
  );
}

interface Answer {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
}

function classifyRefusal(
  { status, headers }: Answer,
  words: ServerWords,
  context: RequestContext,
): ModelError {
  const error = toModelError(kindOf(status, words), context, { text: words.text, status });
  const retryAfterMs = headers && waitOf(headers, error.kind, context.now);
  return {
    ...error,
    retryable: wantsRetry(headers) ?? error.retryable,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function waitOf(headers: Headers, kind: ModelErrorKind, now: number): number | undefined {
  return retryAfter(headers, now) ?? (kind === 'rate_limit' ? limitReset(headers, now) : undefined);
}

/** The server's own opinion, which the SDK would follow too. */
function wantsRetry(headers: Headers | undefined): boolean | undefined {
  const wish = headers?.get('x-should-retry');
  return wish === 'true' || wish === 'false' ? wish === 'true' : undefined;
}

function wordsOf(error: APIError): ServerWords {
  const words = readServerWords(error.error);
  if (words) return words;
  // Of a body that is not JSON the SDK makes the message, behind the status; a page of HTML is nothing to quote.
  const text = error.message.replace(/^\d{3} /, '');
  return { text: /[<{]|status code \(no body\)/.test(text) ? '' : text };
}

function classifyConnection(error: unknown, context: RequestContext): ModelError {
  const code = causeCode(error);
  const isTimeout = error instanceof APIConnectionTimeoutError || /TIMEDOUT|TIMEOUT/.test(code);
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: the caller tells that it is no answer of this API.
    return undefined;
  }
}
