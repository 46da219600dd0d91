import type { SessionEvent } from '../../protocol/events.ts';

/** Logs are in English. This is how their reader's language gets in between a log and a view of it. */
export interface Localization {
  /** The same events; what the user, the model or a tool has said stays as it is. */
  events(events: readonly SessionEvent[]): readonly SessionEvent[];
  /** The title of a session. */
  title(title: string): string;
}

export const inEnglish: Localization = { events: (events) => events, title: (title) => title };
