// What a server says when it refuses, in the shapes that the vendors, their compatibles and the gateways before them use.
import { type Fields, fieldsOf } from './fields.ts';

export interface ServerWords {
  /** `error.type`. */
  readonly type?: string | undefined;
  /** `error.code`, or `error.details.error_code`. */
  readonly code?: string | undefined;
  /** A status that stands in the body. */
  readonly status?: number | undefined;
  readonly text: string;
}

/** From a body of JSON; undefined where it does not look like an error. */
export function readServerWords(json: unknown): ServerWords | undefined {
  // Gemini's compatible API wraps its errors in an array.
  const body = fieldsOf(Array.isArray(json) ? json[0] : json);
  if (!body) return undefined;
  const error = fieldsOf(body.error);
  if (error) return { type: word(error.type), ...codeOf(error), text: word(error.message) ?? '' };
  const texts = [body.error, body.error_message, body.message, body.detail];
  const text = texts.map(word).find((told) => told !== undefined);
  if (text === undefined) return undefined;
  return { type: word(body.error_type) ?? word(body.type), ...codeOf({ code: body.code }), text };
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A number where a word should be is the status that the answer would have had. */
function codeOf({ details, code, status }: Fields): Pick<ServerWords, 'code' | 'status'> {
  const told = word(fieldsOf(details)?.error_code) ?? wordOrNumber(code) ?? wordOrNumber(status);
  if (told === undefined) return {};
  const number = Number(told);
  return Number.isInteger(number) && number >= 400 && number < 600
    ? { status: number }
    : { code: String(told) };
}

function wordOrNumber(value: unknown): string | number | undefined {
  return typeof value === 'number' ? value : word(value);
}
