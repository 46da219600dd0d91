import type { EventDraft, SessionEvent } from '../../../protocol/events.ts';
import { unlinked } from '../../log/hash-chain.ts';
import type { DiffOf } from '../divergence.ts';
import { withoutHashes } from '../encode.ts';

/** How what tools gave differs from what was recorded. */
export interface ResultComparison {
  /** Recorded results of calls, and changes of files by them. */
  readonly results: number;
  readonly different: number;
  /** Of the first one that differs, as a unified diff; empty where all are equal. */
  readonly diff: string;
}

/** Results of calls, and changes of files by them, as texts by kind and call. */
export class Results {
  readonly #texts = new Map<string, string>();

  get size(): number {
    return this.#texts.size;
  }

  get keys(): readonly string[] {
    return [...this.#texts.keys()];
  }

  /** Empty where there is none. */
  of(key: string): string {
    return this.#texts.get(key) ?? '';
  }

  has(key: string): boolean {
    return this.#texts.has(key);
  }

  add(events: readonly SessionEvent[]): void {
    for (const event of events) {
      if (event.type !== 'tool_result' && event.type !== 'files_changed') continue;
      const key = `${event.type} ${event.id}`;
      this.#texts.set(key, this.of(key) + textOf(unlinked(event)));
    }
  }
}

/** `isLoose`: whatever hashes are in them, since a secret was hidden in the recording. */
export function compareResults(
  recorded: Results,
  live: Results,
  { diffOf, isLoose }: { readonly diffOf: DiffOf; readonly isLoose: boolean },
): ResultComparison {
  const plain = isLoose ? withoutHashes : (text: string) => text;
  // A call whose process was killed has no recorded result to compare with.
  const ended = live.keys.filter((key) => recorded.has(key.replace(/^\w+/, 'tool_result')));
  const keys = [...new Set([...recorded.keys, ...ended])];
  const different = keys.filter((key) => plain(recorded.of(key)) !== plain(live.of(key)));
  const [first] = different;
  const diff =
    first === undefined ? '' : `--- recorded\n+++ live\n${diffOf(recorded.of(first), live.of(first))}`;
  return { results: recorded.size, different: different.length, diff };
}

/** With what the tool gave line by line. */
function textOf(draft: EventDraft): string {
  if (draft.type !== 'tool_result') return `${JSON.stringify(draft, null, 2)}\n`;
  const { milliseconds: _took, result, ...rest } = draft;
  return `${JSON.stringify(rest, null, 2)}\n${readable(result)}\n`;
}

function readable(result: string): string {
  try {
    return JSON.stringify(JSON.parse(result), null, 2).replaceAll('\\n', '\\n\n');
  } catch {
    // A result need not be JSON.
    return result;
  }
}
