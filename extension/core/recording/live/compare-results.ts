import type { SessionEvent } from '../../../protocol/events.ts';
import { withoutHashes } from '../digest.ts';
import type { DiffOf } from '../divergence.ts';

/** How what tools gave differs from what was recorded. */
export interface ResultComparison {
  /** Recorded results of calls, and changes of files by them. */
  readonly results: number;
  readonly different: number;
  /** Of the first one that differs, as a unified diff; empty where all are equal. */
  readonly diff: string;
}

/** `isLoose`: whatever hashes are in them, since a secret was hidden in the recording. */
export function compareResults(
  recorded: readonly SessionEvent[],
  live: readonly SessionEvent[],
  { diffOf, isLoose }: { readonly diffOf: DiffOf; readonly isLoose: boolean },
): ResultComparison {
  const [before, after] = [resultsIn(recorded), resultsIn(live)];
  const plain = isLoose ? withoutHashes : (text: string) => text;
  // A call whose process was killed has no recorded result to compare with.
  const ended = [...after.keys()].filter((key) => before.has(key.replace(/^\w+/, 'tool_result')));
  const keys = [...new Set([...before.keys(), ...ended])];
  const different = keys.filter((key) => plain(before.get(key) ?? '') !== plain(after.get(key) ?? ''));
  const [first] = different;
  const diff =
    first === undefined
      ? ''
      : `--- recorded\n+++ live\n${diffOf(before.get(first) ?? '', after.get(first) ?? '')}`;
  return { results: before.size, different: different.length, diff };
}

/** As texts, by kind and call. */
function resultsIn(events: readonly SessionEvent[]): Map<string, string> {
  const results = new Map<string, string>();
  for (const event of events) {
    if (event.type !== 'tool_result' && event.type !== 'files_changed') continue;
    results.set(`${event.type} ${event.id}`, textOf(event));
  }
  return results;
}

/** With what the tool gave line by line, and without its place in the log and its time. */
function textOf(event: Extract<SessionEvent, { type: 'tool_result' | 'files_changed' }>): string {
  const { timestamp: _time, session: _session, seq: _seq, prev: _prev, ...told } = event;
  if (told.type === 'files_changed') return `${JSON.stringify(told, null, 2)}\n`;
  const { milliseconds: _took, result, ...rest } = told;
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
