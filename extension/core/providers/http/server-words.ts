// What a server says when it refuses, in the shapes that the vendors, their compatibles and the gateways before them use.
import * as z from 'zod/mini';

export interface ServerWords {
  /** `error.type`. */
  readonly type?: string | undefined;
  /** `error.code`, or `error.details.error_code`. */
  readonly code?: string | undefined;
  /** A status that stands in the body. */
  readonly status?: number | undefined;
  readonly text: string;
}

const words = z.catch(z.optional(z.string()), undefined);
const code = z.catch(z.optional(z.union([z.string(), z.number()])), undefined);

const error = z.object({
  type: words,
  code,
  message: words,
  status: code,
  details: z.catch(z.optional(z.object({ error_code: words })), undefined),
});

const body = z.object({
  type: words,
  code,
  message: words,
  detail: words,
  error_type: words,
  error_message: words,
  error: z.catch(z.optional(z.union([z.string(), error])), undefined),
});

/** From a body of JSON; undefined where it does not look like an error. */
export function readServerWords(json: unknown): ServerWords | undefined {
  // Gemini's compatible API wraps its errors in an array.
  const { data } = body.safeParse(Array.isArray(json) ? json[0] : json);
  if (!data) return undefined;
  const { error } = data;
  if (typeof error === 'object') {
    return {
      type: error.type,
      ...codeOf(error.details?.error_code ?? error.code ?? error.status),
      text: error.message ?? '',
    };
  }
  const text = error ?? data.error_message ?? data.message ?? data.detail;
  if (text === undefined) return undefined;
  return { type: data.error_type ?? data.type, ...codeOf(data.code), text };
}

/** A number where a word should be is the status that the answer would have had. */
function codeOf(value: string | number | undefined): Pick<ServerWords, 'code' | 'status'> {
  if (value === undefined) return {};
  const number = Number(value);
  return Number.isInteger(number) && number >= 400 && number < 600
    ? { status: number }
    : { code: String(value) };
}
