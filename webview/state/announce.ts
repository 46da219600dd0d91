// What a screen reader announces during a run: whole blocks and questions, never single words.
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { strings } from '../l10n/strings.ts';
import { visibleText } from '../text/plain-text.ts';

export interface Announcement {
  readonly text: string;
  /** Whether it may interrupt the current announcement. */
  readonly urgent: boolean;
}

/** Characters of one announcement: some minutes of speech. */
const LONGEST = 8_000;

/** The announcement of an event. The narrator reads the answer itself, block by block. */
export function announcementOf(event: SessionEvent): Announcement | undefined {
  switch (event.type) {
    case 'notice':
      return calm(event.message);
    case 'compaction':
      return calm(strings.compacted);
    case 'permission_request':
      return { text: strings.approvalNeeded(visibleText(event.action.title), event.risk), urgent: true };
    case 'question':
      return { text: strings.questionAsked(visibleText(event.question)), urgent: true };
    case 'retry':
    case 'error':
      return { text: event.message, urgent: true };
    case 'turn_ended':
      // The end of the answer already shows this.
      return event.reason === 'done' ? undefined : calm(strings.runEnded[event.reason]);
    default:
      return undefined;
  }
}

/** Merges announcements that arrived together. A question among them makes the result urgent. */
export function joinAnnouncements(announcements: readonly Announcement[]): Announcement {
  const text = announcements.map((said) => said.text).join('\n');
  return { text, urgent: announcements.some((said) => said.urgent) };
}

/** Shortens an announcement to a bearable length, and counts what is left out. */
export function shortened({ text, urgent }: Announcement): Announcement {
  if (text.length <= LONGEST) return { text, urgent };
  const end = text.lastIndexOf('\n', LONGEST);
  const kept = text.slice(0, end > LONGEST / 2 ? end : LONGEST);
  return { text: `${kept}\n${strings.moreCharacters(text.length - kept.length)}`, urgent };
}

export function calm(text: string): Announcement | undefined {
  return text === '' ? undefined : { text, urgent: false };
}
