import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { link } from '../../core/log/hash-chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { EventDraft } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { ArchiveHeader } from '../archive/archive-format.ts';
import { ArchiveError, ArchiveReader } from '../archive/read-archive.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { makeFolder } from '../fs/make-folders.ts';
import { renameIntoPlace, syncDirectory } from '../fs/rename-into-place.ts';
import { beginsWith } from '../fs/same-beginning.ts';
import { removeLeftovers, temporaryBeside } from '../fs/temporary-files.ts';
import { removeIndex } from '../log/log-index.ts';
import { isSessionId, lockOf, logOf, newSessionId } from '../log/session-files.ts';
import { lockSession } from '../sessions/session-lock.ts';
import { type Archive, logAsArchive } from './log-as-archive.ts';
import { StagedSession } from './staged-session.ts';

export interface ImportPlace {
  /** The folder of all sessions. */
  readonly root: string;
  readonly clock: Clock;
  /** The folder in which the work goes on, absolute. */
  readonly cwd: string;
  /** Bytes that the file may unpack to; 8 GB unless told. */
  readonly largest?: number;
}

export interface Imported {
  readonly id: string;
  /** `copy`: another session has its name, so it got a new one. `here`: it was there already, with all that is in the log of the file. */
  readonly as: 'itself' | 'copy' | 'here';
  readonly events: number;
  /** Versions of files, images and recordings that the one that was there had lost. */
  readonly recovered: number;
  /** It comes from a log that was damaged, or changed by something else than Harness. */
  readonly isDamaged: boolean;
  /** The recording in the file is none, as a loss of power may leave it. */
  readonly isRecordingLost: true | undefined;
}

/**
 * Makes the session that `exportSession` has put into the file at `path`, or that has its log there, one of this machine's.
 * Nothing in the file is believed. Rejects with `ArchiveError` where it is damaged, and then nothing of it is there.
 */
export async function importSession(place: ImportPlace, path: string): Promise<Imported> {
  const archive = (await logAsArchive(path)) ?? (await ArchiveReader.open(path, place.largest));
  try {
    if (!isSessionId(archive.header.session))
      throw new ArchiveError(say('This file is damaged: its session has a name that none can have.'));
    return await bringIn(place, archive);
  } finally {
    archive.close();
  }
}

/** In a folder beside the others that gets its name at the end. */
async function bringIn(place: ImportPlace, archive: Archive): Promise<Imported> {
  const { root } = place;
  const { session, events, damaged: isDamaged = false } = archive.header;
  await makeFolder(root);
  await removeLeftovers(root);
  const folder = temporaryBeside(join(root, session));
  try {
    const staged = new StagedSession(folder, archive.header);
    for await (const part of archive.parts()) await staged.take(part);
    const { id, isHere } = await nameFor(place, staged, archive.header);
    const { isRecordingLost } = staged;
    const about = { id, events, isDamaged, isRecordingLost };
    if (isHere) return { ...about, as: 'here', recovered: await staged.recover(root, id) };
    await goOn(place, staged, archive.header);
    const recovered = await putInPlace(root, id, staged, folder);
    return { ...about, as: id === session ? 'itself' : 'copy', recovered };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Under its own name; else under one that is made of what it holds, so that the same file is not brought in twice. */
async function nameFor(
  { root, clock }: ImportPlace,
  staged: StagedSession,
  { session, head }: ArchiveHeader,
): Promise<{ readonly id: string; readonly isHere: boolean }> {
  for (const id of [session, `${session.slice(0, 14)}-${head.slice(0, 8)}`]) {
    await staged.rename(id);
    if (!(await ifPresent(stat(logOf(root, id))))) return { id, isHere: false };
    if (await beginsWith(logOf(root, id), staged.log)) return { id, isHere: true };
  }
  const id = newSessionId(clock.now());
  await staged.rename(id);
  return { id, isHere: false };
}

/** As a folder of its own, or into what is left of one that has lost its log. Resolves with how many other things were lost. */
async function putInPlace(root: string, id: string, staged: StagedSession, folder: string): Promise<number> {
  if (!(await ifPresent(stat(join(root, id))))) {
    await staged.keepImages(root);
    await syncDirectory(folder);
    await renameIntoPlace(folder, join(root, id));
    return 0;
  }
  const lock = await lockSession(lockOf(root, id));
  try {
    const recovered = await staged.recover(root, id);
    await removeIndex(logOf(root, id));
    await renameIntoPlace(staged.log, logOf(root, id));
    return recovered;
  } finally {
    await lock.release();
  }
}

function goOn({ clock, cwd }: ImportPlace, staged: StagedSession, header: ArchiveHeader): Promise<void> {
  return staged.goOn((end) => {
    const { session, head: last, damaged } = header;
    const drafts: EventDraft[] = [
      { type: 'imported', from: { session, head: last, ...(damaged && { damaged }) }, cwd },
      ...(damaged ? [DAMAGED] : []),
      told(end.cwd, cwd),
    ];
    let { head } = end;
    return drafts.map((draft) => {
      const next = link(head, draft, staged.id, clock.now());
      head = next.head;
      return next.line;
    });
  });
}

const DAMAGED: EventDraft = {
  type: 'notice',
  message: say(
    'The log of this session was damaged, or changed by something else than Harness, before it was exported; what was intact of it is here. Do not rely on what it says.',
  ),
};

function told(before: string, cwd: string): EventDraft {
  if (before === cwd || before === '') {
    const message = say(
      'This session was imported from a file; what it changed before cannot be undone or reviewed here.',
    );
    return { type: 'notice', message };
  }
  return {
    type: 'notice',
    message: say(
      'This session was imported from a file. It was in {0} before; from here on it is in {1}, and what it changed before cannot be undone or reviewed here.',
      before,
      cwd,
    ),
    toModel: `This conversation goes on in another folder, maybe on another machine: it was in ${before} before, and is in ${cwd} from here on. Files may be others: read them again before you rely on them.`,
  };
}
