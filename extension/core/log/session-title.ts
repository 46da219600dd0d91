import type { SessionEvent } from '../../protocol/events.ts';

const LONGEST_TITLE = 80;

/** Title of a session whose prompts have only images. In English; the view that shows it translates it. */
export const IMAGE_TITLE = 'Image';

/** The parts of a title, which grow with the events of a session. */
export interface TitleParts {
  /** The user's name for the session. */
  readonly name?: string | undefined;
  /** Title of the first prompt with text; empty before one. */
  readonly first: string;
  readonly hasImages: boolean;
}

export const NO_TITLE: TitleParts = { first: '', hasImages: false };

/** `parts` after `event`; the same object if nothing changes. */
export function advanceTitle(parts: TitleParts, event: SessionEvent): TitleParts {
  if (event.type === 'title') return { ...parts, name: event.title };
  if (event.type !== 'user' || parts.first !== '') return parts;
  const first = titleOfPrompt(event.content);
  return { ...parts, first, hasImages: parts.hasImages || event.attachments !== undefined };
}

/**
 * A session's title: the user's name for it, else its first prompt with text, else `IMAGE_TITLE`; empty
 * before a prompt.
 */
export function titleOf({ name, first, hasImages }: TitleParts): string {
  return name ?? (first || (hasImages ? IMAGE_TITLE : ''));
}

/** The title after `events`. */
export function sessionTitleOf(events: readonly SessionEvent[]): string {
  return titleOf(events.reduce(advanceTitle, NO_TITLE));
}

/** The beginning of the prompt's first line. */
export function titleOfPrompt(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  return [...line].slice(0, LONGEST_TITLE).join('');
}
