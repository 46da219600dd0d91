// A section is a stretch of a log that can be drawn without any other: it begins with a prompt or, in a long run, with a
// request, so no reply and no call with its result is ever cut in two.
import type { SessionEvent } from '../../protocol/events.ts';

/** A run is cut at the next request once a section has so many parts. */
const PARTS_PER_SECTION = 20;
const partTypes = new Set<SessionEvent['type']>([
  'user',
  'text',
  'reasoning',
  'tool_call',
  'plan',
  'error',
  'notice',
  'compaction',
]);

export function isPart({ type }: SessionEvent): boolean {
  return partTypes.has(type);
}

/** `event` begins another section behind one that has `parts` parts. */
export function beginsSection({ type }: SessionEvent, parts: number): boolean {
  if (type === 'user') return parts > 0;
  return type === 'request_started' && parts >= PARTS_PER_SECTION;
}

/** The sections of a log, one after the other, whatever its length. */
export async function* cutSections(
  events: AsyncIterable<SessionEvent>,
): AsyncGenerator<readonly SessionEvent[]> {
  let section: SessionEvent[] = [];
  let parts = 0;
  for await (const event of events) {
    if (section.length > 0 && beginsSection(event, parts)) {
      yield section;
      [section, parts] = [[], 0];
    }
    section.push(event);
    if (isPart(event)) parts += 1;
  }
  if (section.length > 0) yield section;
}
