// Reads a server's error message, in the forms of the vendors, of compatible servers and of gateways.
import { type Fields, fieldsOf, listOf, parseJson, textOf } from './json.ts';

export interface ServerWords {
  /** `error.type`. */
  readonly type?: string | undefined;
  /** `error.code`, or `error.details.error_code`. */
  readonly code?: string | undefined;
  /** A status in the body. */
  readonly status?: number | undefined;
  readonly text: string;
}

/** Reads a JSON body; undefined if it is not an error. */
export function readServerWords(json: unknown): ServerWords | undefined {
  // Gemini's compatible API wraps its errors in an array.
  const body = fieldsOf(Array.isArray(json) ? json[0] : json);
  if (!body) return undefined;
  const error = fieldsOf(body.error);
  if (error) return { type: word(error.type), ...codeOf(error), text: textOfError(error) };
  const texts = [body.error, body.error_message, body.message, body.detail, faultsIn(body.detail)];
  const text = texts.map(word).find((found) => found !== undefined);
  if (text === undefined) return undefined;
  return { type: word(body.error_type) ?? word(body.type), ...codeOf({ code: body.code }), text };
}

function textOfError({ message, metadata, n_prompt_tokens: used, n_ctx: window }: Fields): string {
  // llama.cpp sends the lengths in separate fields.
  const lengths = Number(used) > 0 && Number(window) > 0 ? `${used} tokens > ${window}` : undefined;
  const parts = [word(message), handedOn(metadata), lengths];
  return parts.filter((text) => text !== undefined && text !== '').join(': ');
}

/** OpenRouter's own message is "Provider returned error"; the provider's message is in this field. */
function handedOn(metadata: unknown): string | undefined {
  const raw = word(fieldsOf(metadata)?.raw);
  return raw === undefined ? undefined : (readServerWords(parseJson(raw))?.text ?? raw);
}

/** The invalid fields of a request, as FastAPI reports them. vLLM and similar servers use FastAPI. */
function faultsIn(detail: unknown): string | undefined {
  const faults = listOf(detail).map((fault) => {
    const { loc, msg } = fieldsOf(fault) ?? {};
    return [listOf(loc).join('.'), textOf(msg)].filter((part) => part !== '').join(': ');
  });
  return faults.length > 0 ? faults.join('; ') : undefined;
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A number in place of a word is the status that the answer would have had. */
function codeOf({ details, code, status }: Fields): Pick<ServerWords, 'code' | 'status'> {
  const reported = word(fieldsOf(details)?.error_code) ?? wordOrNumber(code) ?? wordOrNumber(status);
  if (reported === undefined) return {};
  const number = Number(reported);
  return Number.isInteger(number) && number >= 400 && number < 600
    ? { status: number }
    : { code: String(reported) };
}

function wordOrNumber(value: unknown): string | number | undefined {
  return typeof value === 'number' ? value : word(value);
}
