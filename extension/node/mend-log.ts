import { copyFile, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SessionEvent } from '../protocol/events.ts';
import type { LogStart } from './jsonl-session-log.ts';
import { readLog } from './read-log.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Opens the log at `path` for going on. A damaged one keeps its intact events; the file as it was is set aside beside
 * it, so nothing is ever thrown away. `now` in milliseconds since the epoch names that copy.
 */
export async function mendLog(path: string, now: number): Promise<LogStart> {
  const { events: past, lines, damaged, torn, chained, head } = await readLog(await readFile(path));
  if (damaged === 0 && !torn)
    return { past, head, repairs: chained || past.some(tellsOfDamage) ? [] : [UNCHAINED] };
  const aside = `${path}.damaged-${now}`;
  if (damaged > 0) await copyFile(path, aside);
  await replaceFile(path, lines.map((line) => `${line}\n`).join(''));
  return { past, head, repairs: damaged > 0 ? [repairOf(damaged, torn, basename(aside))] : [] };
}

const UNCHAINED =
  'This session’s log was changed by something else than Harness: its chain of hashes is broken. Do not rely on what it says.';

/** It was told before, or the chain is broken where damaged records were taken out. */
function tellsOfDamage(event: SessionEvent): boolean {
  return event.type === 'notice' && (event.message === UNCHAINED || event.message.includes('is kept as'));
}

function repairOf(damaged: number, torn: boolean, aside: string): string {
  const what =
    damaged === 1 && torn
      ? 'The last record of this session was cut off when its writer died'
      : `${damaged} ${damaged === 1 ? 'record' : 'records'} of this session could not be read`;
  return `${what}. Everything else is here; the file as it was is kept as ${aside}.`;
}
