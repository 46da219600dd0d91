import type { SessionEvent } from '../../protocol/events.ts';

/** Translates between a log, which is in English, and a view of it in the reader's language. */
export interface Localization {
  /** The same events, translated. The words of the user, the model and tools stay as they are. */
  events(events: readonly SessionEvent[]): readonly SessionEvent[];
  /** The title of a session, translated. */
  title(title: string): string;
}

export const inEnglish: Localization = { events: (events) => events, title: (title) => title };
