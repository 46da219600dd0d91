import type { SessionEvent } from '../../protocol/events.ts';

const LONGEST_TITLE = 80;

/** What a session is called: as the user has named it, else by its first prompt; empty before that. */
export function titleOf(events: readonly SessionEvent[]): string {
  const named = events.findLast((event) => event.type === 'title');
  return named?.title ?? titleOfPrompt(events.find((event) => event.type === 'user')?.content ?? '');
}

/** The beginning of its first line. */
export function titleOfPrompt(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  return [...line].slice(0, LONGEST_TITLE).join('');
}
