import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/ports/clock.ts';
import { link } from '../core/session/chain.ts';
import type { EventDraft } from '../protocol/events.ts';
import { say } from '../protocol/say.ts';
import type { ArchiveHeader } from './archive-format.ts';
import { ifPresent } from './file-errors.ts';
import { logEnd } from './log-end.ts';
import { ArchiveError, ArchiveReader } from './read-archive.ts';
import { renameIntoPlace } from './rename-into-place.ts';
import { isSessionId, logOf, newSessionId } from './session-files.ts';
import { StagedSession } from './staged-session.ts';
import { removeLeftovers, temporaryBeside } from './temporary-files.ts';

export interface ImportPlace {
  /** The folder of all sessions. */
  readonly root: string;
  readonly clock: Clock;
  /** The folder in which the work goes on, absolute. */
  readonly cwd: string;
}

export interface Imported {
  readonly id: string;
  /** `copy`: another session has its name, so it got a new one. `here`: it was there already, with all that is in the file. */
  readonly as: 'itself' | 'copy' | 'here';
  readonly events: number;
}

/**
 * Makes the session that `exportSession` has put into the file at `path` one of this machine's. Nothing in the file is
 * believed. Rejects with `ArchiveError` where it is damaged, and then nothing of it is there.
 */
export async function importSession(place: ImportPlace, path: string): Promise<Imported> {
  const archive = await ArchiveReader.open(path);
  const { header } = archive;
  try {
    const found = await findSession(place.root, header);
    if (found === 'same') return { id: header.session, as: 'here', events: header.events };
    const id = found ? newSessionId(place.clock.now()) : header.session;
    await bringIn(place, archive, id);
    return { id, as: found ? 'copy' : 'itself', events: header.events };
  } finally {
    archive.close();
  }
}

/** `same`: the log that is here has the line that is the last one in the file. */
async function findSession(root: string, header: ArchiveHeader): Promise<'same' | 'other' | undefined> {
  const { session, events, head } = header;
  if (!isSessionId(session)) throw new ArchiveError(say('This file is damaged: its session has no name.'));
  const log = logOf(root, session);
  if (!(await ifPresent(stat(log)))) return undefined;
  return (await logEnd(log, events))?.head.hash === head ? 'same' : 'other';
}

/** In a folder beside the others that gets its name at the end. */
async function bringIn(place: ImportPlace, archive: ArchiveReader, id: string): Promise<void> {
  const { root, clock, cwd } = place;
  await mkdir(root, { recursive: true, mode: 0o700 });
  await removeLeftovers(root);
  const folder = temporaryBeside(join(root, id));
  try {
    const staged = new StagedSession(folder, archive.header);
    for await (const part of archive.parts()) await staged.take(part);
    await staged.goOn(id, (end) => {
      const from = { session: archive.header.session, head: archive.header.head };
      const elsewhere = end.cwd !== cwd && ({ elsewhere: true } as const);
      const drafts: EventDraft[] = [{ type: 'imported', from, cwd, ...elsewhere }, told(end.cwd, cwd)];
      let { head } = end;
      return drafts.map((draft) => {
        const next = link(head, draft, id, clock.now());
        head = next.head;
        return next.line;
      });
    });
    await staged.keepImages(root);
    await renameIntoPlace(folder, join(root, id));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function told(before: string, cwd: string): EventDraft {
  if (before === cwd) return { type: 'notice', message: say('This session was imported from a file.') };
  return {
    type: 'notice',
    message: say(
      'This session was imported from a file. It was in {0} before; from here on it is in {1}, and what it changed before cannot be undone here.',
      before,
      cwd,
    ),
    toModel: `This conversation goes on in another folder, maybe on another machine: it was in ${before} before, and is in ${cwd} from here on. Files may be others: read them again before you rely on them.`,
  };
}
