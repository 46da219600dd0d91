import type { EventOf, SessionEvent } from '../../protocol/events.ts';

/** The last request that these events tell of, but for one whose answer stands for the conversation as a summary. */
export function lastAsked(events: readonly SessionEvent[]): EventOf<'request_started'> | undefined {
  let isSummary = false;
  for (const event of events.toReversed()) {
    if (event.type === 'compaction') isSummary = true;
    else if (event.type === 'turn_started') isSummary = false;
    else if (event.type === 'request_started' && !isSummary) return event;
  }
  return undefined;
}
