import type { SessionEvent } from '../../protocol/events.ts';

const LONGEST_TITLE = 80;

/** What a session is called: as the user has named it, else by its first prompt with words; empty before that. */
export function titleOf(events: readonly SessionEvent[]): string {
  const named = events.findLast((event) => event.type === 'title');
  return named?.title ?? firstTitle(events);
}

function firstTitle(events: readonly SessionEvent[]): string {
  for (const event of events) {
    const title = event.type === 'user' ? titleOfPrompt(event.content) : '';
    if (title !== '') return title;
  }
  return '';
}

/** The beginning of its first line. */
export function titleOfPrompt(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  return [...line].slice(0, LONGEST_TITLE).join('');
}
