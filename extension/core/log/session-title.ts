import type { SessionEvent } from '../../protocol/events.ts';

const LONGEST_TITLE = 80;

/** Title of a session whose prompts have only images. In English; the view that shows it translates it. */
export const IMAGE_TITLE = 'Image';

/**
 * A session's title: the user's name for it, else its first prompt with text, else `IMAGE_TITLE`; empty
 * before a prompt.
 */
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

/** The beginning of the prompt's first line. */
export function titleOfPrompt(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  return [...line].slice(0, LONGEST_TITLE).join('');
}
