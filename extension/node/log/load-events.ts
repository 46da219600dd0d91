import type { SessionEvent } from '../../protocol/events.ts';
import { isBeginning } from './joined-records.ts';
import { eventsCutOff } from './log-index.ts';
import { type LogLine, logLines } from './log-lines.ts';
import type { LogOffsets } from './log-offsets.ts';
import { intactLines, readWholeLog } from './read-log.ts';
import { type LogRecord, recordOf } from './read-record.ts';

/**
 * Reads events `first` to `last` of the log at `path` in full. Adds the offsets of the events that it passes
 * to `places`.
 */
export async function loadEvents(
  path: string,
  places: LogOffsets,
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

/**
 * Yields all intact events of the log at `path` in full, one batch per read. Reports the number of lines
 * without an event, plus those missing at the end, to `onDamaged`. Calls it only when that number is known
 * and not 0.
 */
export async function* wholeEvents(
  path: string,
  onDamaged: (lines: number) => void = () => {},
): AsyncGenerator<readonly SessionEvent[]> {
  let last = 0;
  for await (const lines of logLines(path)) {
    const records = recordsBehind(last, lines);
    if (!records) {
      yield* keptEvents(path, lines[0]?.at ?? 0, onDamaged);
      return;
    }
    last = records.at(-1)?.seq ?? last;
    yield eventsIn(records);
  }
  const cutOff = await eventsCutOff(path, last);
  if (cutOff > 0) onDamaged(cutOff);
}

/**
 * Returns undefined unless each line holds a record, and their numbers increase. The last line may still be
 * unfinished.
 */
function recordsBehind(seq: number, lines: readonly LogLine[]): readonly LogRecord[] | undefined {
  const records: LogRecord[] = [];
  for (const line of lines) {
    const record = recordOf(line);
    if (!record && !line.isEnded && isBeginning(line)) continue;
    if (!record || record.seq <= (records.at(-1)?.seq ?? seq)) return undefined;
    records.push(record);
  }
  return records;
}

/** Yields the events from byte `from` on that opening the log would keep. */
async function* keptEvents(path: string, from: number, onDamaged: (lines: number) => void) {
  const content = await readWholeLog(path);
  const { head, damaged, damagedAtEnd } = content;
  const lost = damaged + (await eventsCutOff(path, head.seq, damagedAtEnd));
  if (lost > 0) onDamaged(lost);
  for await (const lines of intactLines(path, content))
    yield eventsIn(lines.filter(({ at }) => at >= from).map(recordOf));
}

function eventsIn(records: readonly (LogRecord | undefined)[]): readonly SessionEvent[] {
  return records.map((record) => record?.event).filter((event) => event !== undefined);
}
