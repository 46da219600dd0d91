import { copyFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SessionEvent } from '../protocol/events.ts';
import { say } from '../protocol/say.ts';
import type { LogStart } from './jsonl-session-log.ts';
import { LogPlaces } from './log-places.ts';
import type { ByteRange } from './log-reading.ts';
import { readLog } from './read-log.ts';
import { readRange } from './read-range.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Opens the log at `path` for going on. A damaged one keeps its intact events; the file as it was is set aside beside
 * it, so nothing is ever thrown away. `now` in milliseconds since the epoch names that copy.
 */
export async function mendLog(path: string, now: number): Promise<LogStart> {
  const { events: past, intact, damaged, torn, chained, head, places } = await readLog(path);
  if (damaged === 0 && !torn)
    return { past, head, places, repairs: chained || past.some(tellsOfDamage) ? [] : [UNCHAINED] };
  const aside = `${path}.damaged-${now}`;
  if (damaged > 0) await copyFile(path, aside);
  await replaceFile(path, linesOf(path, intact));
  const repairs = damaged > 0 ? [repairOf(damaged, torn, basename(aside))] : [];
  return { past, head, places: damaged > 0 ? new LogPlaces() : places, repairs };
}

async function* linesOf(path: string, ranges: readonly ByteRange[]): AsyncGenerator<Uint8Array> {
  for (const { from, to, isEnded } of ranges) {
    yield* readRange(path, from, to);
    if (!isEnded) yield LINE_FEED;
  }
}

const LINE_FEED = Buffer.from('\n');

const UNCHAINED = say(
  'This session’s log was changed by something else than Harness: its chain of hashes is broken. Do not rely on what it says.',
);

/** It was told before, or the chain is broken where damaged records were taken out. */
function tellsOfDamage(event: SessionEvent): boolean {
  return event.type === 'notice' && (event.message === UNCHAINED || event.message.includes('is kept as'));
}

function repairOf(damaged: number, torn: boolean, aside: string): string {
  return say(
    '{0.} Everything else is here; the file as it was is kept as {1}.',
    lossOf(damaged, torn),
    aside,
  );
}

function lossOf(damaged: number, torn: boolean): string {
  if (damaged > 1) return say('{0} records of this session could not be read.', damaged);
  return torn
    ? say('The last record of this session was cut off when its writer died.')
    : say('{0} record of this session could not be read.', damaged);
}
