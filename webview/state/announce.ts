// What a screen reader is told while a run goes on: whole blocks and questions, never single words.
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { strings } from '../l10n/strings.ts';
import { visibleText } from '../text/plain-text.ts';

export interface Announcement {
  readonly text: string;
  /** Worth interrupting for. */
  readonly urgent: boolean;
}

/** Characters that are said at once: some minutes. */
const LONGEST = 8_000;

/** But for the answer itself, which is read out block by block. */
export function announcementOf(event: SessionEvent): Announcement | undefined {
  switch (event.type) {
    case 'notice':
      return calm(event.message);
    case 'compaction':
      return calm(strings.compacted);
    case 'permission_request':
      return { text: strings.approvalNeeded(visibleText(event.action.title), event.risk), urgent: true };
    case 'retry':
    case 'error':
      return { text: event.message, urgent: true };
    case 'turn_ended':
      // The answer itself says that it is done.
      return event.reason === 'done' ? undefined : calm(strings.runEnded[event.reason]);
    default:
      return undefined;
  }
}

/** What came at once is said at once; a question among it makes all of it urgent. */
export function joinAnnouncements(announcements: readonly Announcement[]): Announcement {
  const text = announcements.map((said) => said.text).join('\n');
  return { text, urgent: announcements.some((said) => said.urgent) };
}

/** As much of it as can be listened to; what is left out is counted. */
export function shortened({ text, urgent }: Announcement): Announcement {
  if (text.length <= LONGEST) return { text, urgent };
  const end = text.lastIndexOf('\n', LONGEST);
  const kept = text.slice(0, end > LONGEST / 2 ? end : LONGEST);
  return { text: `${kept}\n${strings.moreCharacters(text.length - kept.length)}`, urgent };
}

export function calm(text: string): Announcement | undefined {
  return text === '' ? undefined : { text, urgent: false };
}
