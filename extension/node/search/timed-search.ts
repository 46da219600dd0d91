import { type Context, createContext, Script } from 'node:vm';
import type { Span } from '../../core/view/find.ts';

/** Milliseconds. All other work of this process waits during a search. */
const TIME_LIMIT = 15;

const search = new Script(`(() => {
  const found = [];
  for (const { 0: { length }, index } of text.matchAll(new RegExp(source, flags))) if (length > 0) found.push(index, length);
  return found;
})()`);

/**
 * Returns a search that gives up after 15 ms and then returns undefined, because some expressions would never
 * finish. Node can interrupt only code that runs in its own context.
 */
export function createTimedSearch({ source, flags }: RegExp): (text: string) => Span[] | undefined {
  const context = createContext({ source, flags, text: '' });
  return (text) => {
    context.text = text;
    const found = searchIn(context);
    return found && pairsOf(found);
  };
}

/** Returns undefined after a timeout. */
function searchIn(context: Context): number[] | undefined {
  try {
    // The script returns a list of numbers, two for each match: its index and its length.
    return search.runInContext(context, { timeout: TIME_LIMIT }) as number[];
  } catch (error) {
    if (hasTimedOut(error)) return undefined;
    throw error;
  }
}

/** Checks only the code, because the error may be an instance of the other context's `Error`. */
function hasTimedOut(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function pairsOf(numbers: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) spans.push([numbers[at] ?? 0, numbers[at + 1] ?? 0]);
  return spans;
}
