import type { SessionEvent } from '../../protocol/events.ts';

const LONGEST_TITLE = 80;

/** Of a session in which nothing but images was said. In English: who shows it says it in the user's language. */
export const IMAGE_TITLE = 'Image';

/** What a session is called: as the user has named it, else by its first prompt with words, else by its images; empty before that. */
export function sessionTitleOf(events: readonly SessionEvent[]): string {
  const named = events.findLast((event) => event.type === 'title');
  return named?.title ?? firstTitle(events);
}

function firstTitle(events: readonly SessionEvent[]): string {
  let hasImages = false;
  for (const event of events) {
    if (event.type !== 'user') continue;
    const title = titleOfPrompt(event.content);
    if (title !== '') return title;
    hasImages ||= event.attachments !== undefined;
  }
  return hasImages ? IMAGE_TITLE : '';
}

/** The beginning of its first line. */
export function titleOfPrompt(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  return [...line].slice(0, LONGEST_TITLE).join('');
}
