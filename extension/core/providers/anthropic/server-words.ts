// What a server says when it refuses, in the shapes that Anthropic and the gateways before it use.
import * as z from 'zod/mini';

export interface ServerWords {
  /** `error.type` and `error.details.error_code`. */
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly text: string;
}

const words = z.catch(z.optional(z.string()), undefined);

const error = z.object({
  type: words,
  message: words,
  details: z.catch(z.optional(z.object({ error_code: words })), undefined),
});

const body = z.object({
  type: words,
  message: words,
  detail: words,
  error: z.catch(z.optional(z.union([z.string(), error])), undefined),
});

/** From a body of JSON; undefined where it does not look like an error. */
export function readServerWords(json: unknown): ServerWords | undefined {
  const { data } = body.safeParse(json);
  if (!data) return undefined;
  const { error, type, message, detail } = data;
  if (typeof error === 'object') {
    return { type: error.type, code: error.details?.error_code, text: error.message ?? '' };
  }
  const text = error ?? message ?? detail;
  return text === undefined ? undefined : { type, text };
}
