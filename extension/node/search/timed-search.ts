import { type Context, createContext, Script } from 'node:vm';
import type { Span } from '../../core/view/find.ts';

/** Milliseconds: others wait that long at most. */
const TIME_LIMIT = 15;

const search = new Script(`(() => {
  const found = [];
  for (const { 0: { length }, index } of text.matchAll(new RegExp(source, flags))) if (length > 0) found.push(index, length);
  return found;
})()`);

/**
 * A search for `pattern` that gives up, with undefined, after 15 ms: some expressions take longer than the world has
 * time, and only what runs in a context of its own can be interrupted.
 */
export function createTimedSearch({ source, flags }: RegExp): (text: string) => Span[] | undefined {
  const context = createContext({ source, flags, text: '' });
  return (text) => {
    context.text = text;
    const found = searchIn(context);
    return found && pairsOf(found);
  };
}

/** Undefined where the time was up. */
function searchIn(context: Context): number[] | undefined {
  try {
    // The script gives back a list of numbers, two for each match.
    return search.runInContext(context, { timeout: TIME_LIMIT }) as number[];
  } catch (error) {
    if (hasTimedOut(error)) return undefined;
    throw error;
  }
}

/** The error may be one of the context's own kind. */
function hasTimedOut(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function pairsOf(numbers: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) spans.push([numbers[at] ?? 0, numbers[at + 1] ?? 0]);
  return spans;
}
