// A section is a part of a log that can be drawn alone. It begins with a prompt or, in a long run, with a
// request. So no reply is ever split, and no call is separated from its result.
import type { SessionEvent } from '../../protocol/events.ts';

/** A run is split at the next request after a section has this many parts. */
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

/** Whether `event` begins a new section after a section with `parts` parts. */
export function beginsSection({ type }: SessionEvent, parts: number): boolean {
  if (type === 'user') return parts > 0;
  return type === 'request_started' && parts >= PARTS_PER_SECTION;
}

/** The sections of a log in order. Memory does not grow with the log. */
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
