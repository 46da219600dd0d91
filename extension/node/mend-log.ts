import { basename } from 'node:path';
import { CHAIN_START, link } from '../core/session/chain.ts';
import type { SessionEvent } from '../protocol/events.ts';
import { say } from '../protocol/say.ts';
import type { LogStart } from './jsonl-session-log.ts';
import type { ByteRange, LogContent } from './log-reading.ts';
import { lostHeader, type TimedDraft } from './lost-header.ts';
import { readLog } from './read-log.ts';
import { readRange } from './read-range.ts';
import { replaceFile } from './replace-file.ts';
import { logOf } from './session-files.ts';
import { setAside } from './set-aside.ts';

/**
 * Opens the log of session `id` below `root` for going on. A damaged one keeps its intact events, and gets a beginning where
 * it has lost its own; the file as it was is set aside beside it, so nothing is ever thrown away. `now` in milliseconds
 * since the epoch names that copy.
 */
export async function mendLog(root: string, id: string, now: number): Promise<LogStart> {
  const path = logOf(root, id);
  const found = await readLog(path);
  const { events: past, damaged, torn, head, places, index } = found;
  const header = await lostHeader(root, id, past[0]);
  if (damaged === 0 && !torn && !header) return { past, head, places, index, repairs: brokenChainOf(found) };
  const aside = `${path}.damaged-${now}`;
  if (damaged > 0) await setAside(path, aside);
  await replaceFile(path, linesOf(path, found.intact, header && beginningOf(id, header)));
  const mended = await readLog(path);
  return {
    past: mended.events,
    head: mended.head,
    places: mended.places,
    index: mended.index,
    repairs: repairsOf(found, header, basename(aside)),
  };
}

function beginningOf(id: string, { timestamp, ...draft }: TimedDraft): string {
  return link(CHAIN_START, draft, id, timestamp).line;
}

async function* linesOf(
  path: string,
  ranges: readonly ByteRange[],
  beginning: string | undefined,
): AsyncGenerator<Uint8Array> {
  if (beginning !== undefined) yield Buffer.from(`${beginning}\n`);
  for (const { from, to, isEnded } of ranges) {
    yield* readRange(path, from, to);
    if (!isEnded) yield LINE_FEED;
  }
}

const LINE_FEED = Buffer.from('\n');

const UNCHAINED = say(
  'This session’s log was changed by something else than Harness: its chain of hashes is broken. Do not rely on what it says.',
);
const NO_BEGINNING = say('The beginning of this session was lost. Everything else is here.');
/** For who notices it while the log is open. */
export const SHORTENED = say(
  'Something else than Harness has overwritten the log of this session while it was open: what is missing in it is lost.',
);
/** As `lossOf` tells it. */
const UNREADABLE = /could not be read\. Everything else is here/;
const EMPTY = say('The log of this session was empty: what was said in it is lost.');

/** A break before a notice of damage was told, or is where damaged records were taken out. What was imported was whole. */
function brokenChainOf({ brokenAt, events }: LogContent): readonly string[] {
  const last = events.findLast((event) => event.type === 'imported' || tellsOfBreak(event));
  const isTold = last?.type === 'notice' && last.seq >= brokenAt;
  return brokenAt === 0 || isTold ? [] : [UNCHAINED];
}

/** Where nothing but the end was cut off, the chain is whole. */
function tellsOfBreak(event: SessionEvent): boolean {
  if (event.type !== 'notice') return false;
  return [UNCHAINED, NO_BEGINNING, SHORTENED].includes(event.message) || UNREADABLE.test(event.message);
}

function repairsOf(
  { damaged, torn, intact, events }: LogContent,
  header: TimedDraft | undefined,
  aside: string,
): readonly string[] {
  if (damaged > 0) {
    const isCut = torn && intact.every(({ isEnded }) => isEnded);
    return [
      say('{0.} Everything else is here; the file as it was is kept as {1}.', lossOf(damaged, isCut), aside),
    ];
  }
  if (!header) return [];
  return [events.length === 0 ? EMPTY : NO_BEGINNING];
}

function lossOf(damaged: number, isCut: boolean): string {
  if (damaged > 1) return say('{0} records of this session could not be read.', damaged);
  return isCut
    ? say('The last record of this session was cut off when its writer died.')
    : say('{0} record of this session could not be read.', damaged);
}
