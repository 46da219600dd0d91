import { basename } from 'node:path';
import { CHAIN_START, type ChainHead, link } from '../../core/log/hash-chain.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { readRange } from '../fs/read-file.ts';
import { replaceFile } from '../fs/replace-file.ts';
import { keepCopyAs } from '../fs/set-aside.ts';
import { eventsCutOff, type IndexEnd, removeIndex } from '../log/log-index.ts';
import type { LogOffsets } from '../log/log-offsets.ts';
import type { ByteRange, LogContent } from '../log/log-reader.ts';
import { readLog } from '../log/read-log.ts';
import { logOf } from '../log/session-files.ts';
import { missingHeader, type TimedDraft } from './missing-header.ts';

/**
 * Reads the log of session `id` below `root` and repairs it for writing. Keeps the intact events of a damaged
 * log, and adds a first event if the log lost its own. Copies a damaged file beside the log first, so nothing
 * is ever thrown away. `now`, in milliseconds since the epoch, names that copy.
 */
export async function repairLog(root: string, id: string, now: number): Promise<LogStart> {
  const path = logOf(root, id);
  const found = await readLog(path);
  const { events: past, damaged, torn, head, places, index } = found;
  const header = await missingHeader(root, id, past[0]);
  const cutOff = await eventsCutOff(path, head.seq, found.damagedAtEnd);
  if (damaged === 0 && !torn && !header) {
    // Removes the index, so that the missing end is reported only once.
    if (cutOff > 0) await removeIndex(path);
    return { past, head, places, index, repairs: [...brokenChainOf(found), ...cutOffOf(cutOff)] };
  }
  const aside = `${path}.damaged-${now}`;
  if (damaged > 0) await keepCopyAs(path, aside);
  await replaceFile(path, linesOf(path, found.intact, header && beginningOf(id, header)));
  await removeIndex(path);
  const repaired = await readLog(path);
  return {
    past: repaired.events,
    head: repaired.head,
    places: repaired.places,
    index: repaired.index,
    repairs: [...repairsOf(found, header, basename(aside), cutOff), ...cutOffOf(cutOff)],
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
  'This session’s log was changed by another program: its hash chain is broken. Do not rely on its contents.',
);
const NO_BEGINNING = say('The beginning of this session was lost. Everything else is here.');
const NEITHER_END = say('The beginning of this session was lost.');
/** Exported for the open log that notices the loss. */
export const SHORTENED = say(
  'Another program overwrote this session’s log while it was open. The missing records are lost.',
);
/** Matches what earlier versions wrote in place of `UNCHAINED` and `SHORTENED`. */
const EARLIER = /its chain of hashes is broken\. Do not rely|^Something else than Harness has overwritten/;
/** Matches what `repairsOf` builds from `lossOf`. */
const UNREADABLE = /could not be read\. (Everything else is here|The file as it was)/;
const EMPTY = say('This session’s log was empty. Its conversation is lost.');

/**
 * Reports a broken chain, unless a damage notice at or behind the break already did. Notices before an import
 * do not count, because the imported log was whole.
 */
function brokenChainOf({ brokenAt, events }: LogContent): readonly string[] {
  const last = events.findLast((event) => event.type === 'imported' || reportsBreak(event));
  const isReported = last?.type === 'notice' && last.seq >= brokenAt;
  return brokenAt === 0 || isReported ? [] : [UNCHAINED];
}

/** A notice of a missing end does not count, because the chain is whole then. */
function reportsBreak(event: SessionEvent): boolean {
  if (event.type !== 'notice') return false;
  return (
    [UNCHAINED, NO_BEGINNING, NEITHER_END, SHORTENED].includes(event.message) ||
    EARLIER.test(event.message) ||
    UNREADABLE.test(event.message)
  );
}

function repairsOf(
  { damaged, torn, intact, events }: LogContent,
  header: TimedDraft | undefined,
  aside: string,
  cutOff: number,
): readonly string[] {
  if (damaged > 0) {
    const isCut = torn && intact.every(({ isEnded }) => isEnded);
    const loss = lossOf(damaged, isCut);
    return [
      cutOff > 0
        ? say('{0.} The file as it was before the repair is kept as {1}.', loss, aside)
        : say(
            '{0.} Everything else is here. The file as it was before the repair is kept as {1}.',
            loss,
            aside,
          ),
    ];
  }
  if (!header) return [];
  if (events.length === 0) return [EMPTY];
  return [cutOff > 0 ? NEITHER_END : NO_BEGINNING];
}

function cutOffOf(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    say(
      'The end of this session’s log is missing (records: {0}). It was cut off, or an older log replaced it.',
      count,
    ),
  ];
}

/** One sentence about log lines that hold no event. `isCut`: the writer died while it wrote one of them. */
export function lossOf(damaged: number, isCut = false): string {
  if (damaged > 1) return say('{0} records of this session could not be read.', damaged);
  return isCut
    ? say('The last record of this session was cut off because the process that wrote it ended.')
    : say('{0} record of this session could not be read.', damaged);
}

/** The state of a log when it is opened. */
export interface LogStart {
  readonly past: readonly SessionEvent[];
  readonly repairs: readonly string[];
  readonly head: ChainHead;
  readonly places: LogOffsets;
  /** The index, if it replaced a part of the log that was not read. */
  readonly index?: IndexEnd | undefined;
}
