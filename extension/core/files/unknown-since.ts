import type { SessionEvent } from '../../protocol/events.ts';

/** What was never found out of that which the session has changed behind event `seq`, in sentences: no restore takes it back. */
export function unknownSince(events: readonly SessionEvent[], seq: number): readonly string[] {
  const sentences = new Set<string>();
  for (const event of events) {
    if (event.type === 'imported') sentences.clear();
    if (event.type === 'files_changed' && event.seq > seq && event.uncovered !== undefined)
      sentences.add(event.uncovered);
  }
  return [...sentences];
}
