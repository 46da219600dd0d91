import type { SessionEvent } from '../protocol/events.ts';
import { logLines } from './log-lines.ts';
import type { LogPlaces } from './log-places.ts';
import { recordOf } from './read-record.ts';

/** Events `first` to `last` of the log at `path`, whole; `places` learns what is found on the way. */
export async function loadEvents(
  path: string,
  places: LogPlaces,
  first: number,
  last: number,
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const lines of logLines(path, { from: places.before(first) })) {
    for (const line of lines) {
      const record = recordOf(line);
      if (!record) continue;
      if (record.seq > last) return events;
      places.note(record.seq, line.at);
      if (record.event && record.seq >= first) events.push(record.event);
    }
  }
  return events;
}

/** All events of the log at `path`, whole, those of a stretch together: for who takes one after the other. */
export async function* wholeEvents(path: string): AsyncGenerator<readonly SessionEvent[]> {
  for await (const lines of logLines(path)) {
    yield lines.map((line) => recordOf(line)?.event).filter((event) => event !== undefined);
  }
}
