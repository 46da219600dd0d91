import { type Fields, fieldsOf, listOf, textOf } from '../wire/json.ts';

/** Fields that come in pieces; every other one carries its final value. */
const GROWING = ['text', 'summary', 'data'];

/**
 * OpenRouter's `reasoning_details`: pieces of the same type and index that stand one behind the other become one,
 * anything else stays as it is and where it is (openrouter.ai/docs/use-cases/reasoning-tokens).
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

/** What they say, for the user. */
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
