import { APIConnectionError, APIError } from '@anthropic-ai/sdk/error';
import { ServerRefusal } from '../http/classify-error.ts';
import { readServerWords, type ServerWords } from '../http/server-words.ts';

/** What the SDK threw, as a refusal where a server said no; otherwise the same error. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return error;
  return new ServerRefusal(wordsOf(error), { status: error.status, headers: error.headers });
}

/**
 * A replayed thinking block was not accepted: "Invalid `signature` in `thinking` block. The block is bound to a different
 * conversation.", "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified."
 */
export function refusesThinking(error: unknown): boolean {
  if (!(error instanceof APIError) || error.status !== 400) return false;
  return /bound to a different|`?signature`? in `?thinking|`?thinking`? blocks .*cannot be modified/i.test(
    wordsOf(error).text,
  );
}

function wordsOf(error: APIError): ServerWords {
  const words = readServerWords(error.error);
  if (words) return words;
  // Of a body that is not JSON the SDK makes the message, behind the status; a page of HTML is nothing to quote.
  const text = error.message.replace(/^\d{3} /, '');
  return { text: /[<{]|status code \(no body\)/.test(text) ? '' : text };
}
