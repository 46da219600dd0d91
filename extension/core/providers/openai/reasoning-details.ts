import { type Fields, fieldsOf, listOf, textOf } from '../wire/json.ts';

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
