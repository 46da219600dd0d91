import { type Fields, fieldsOf, listOf, textOf } from '../wire/json.ts';

/** Names of Gemini and LiteLLM. Other servers name a field after the signature that it holds. */
const DATA_FIELD = /^(?:extra_content|provider_specific_fields)$|signature/i;

/** The fields of a message or a call that mean something only to the server, which gets them back as they are. */
export function serverData(fields: Fields): Fields | undefined {
  const names = Object.keys(fields).filter((name) => DATA_FIELD.test(name) && fields[name] != null);
  return names.length > 0 ? Object.fromEntries(names.map((name) => [name, fields[name]])) : undefined;
}

export function mergeData(old: Fields | undefined, added: Fields | undefined): Fields | undefined {
  return old && added ? { ...old, ...added } : (added ?? old);
}

/** Fields that arrive in pieces; any other field has its final value. */
const GROWING = ['text', 'summary', 'data'];

/**
 * Merges OpenRouter's `reasoning_details`: adjacent pieces of the same type and index become one. Any other
 * piece stays unchanged and in place (openrouter.ai/docs/use-cases/reasoning-tokens).
 */
export function mergeDetails(pieces: readonly unknown[]): readonly unknown[] {
  const merged: unknown[] = [];
  for (const piece of pieces) {
    const last = fieldsOf(merged.at(-1));
    const next = fieldsOf(piece);
    if (last && next && last.index !== undefined && last.type === next.type && last.index === next.index) {
      merged[merged.length - 1] = joined(last, next);
    } else merged.push(piece);
  }
  return merged;
}

/** The text of the pieces, for the user. */
export function textOfDetails(pieces: unknown): string {
  return listOf(pieces)
    .map((piece) => textOf(fieldsOf(piece)?.text) || textOf(fieldsOf(piece)?.summary))
    .join('');
}

function joined(left: Fields, right: Fields): Fields {
  const result: Record<string, unknown> = { ...left };
  for (const [name, value] of Object.entries(right)) {
    if (GROWING.includes(name) && typeof result[name] === 'string') result[name] += textOf(value);
    else if (value !== null || result[name] === undefined) result[name] = value;
  }
  return result;
}
