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
  /** The absolute path of the folder in which the work continues. */
  readonly cwd: string;
  /** Maximum unpacked size in bytes; the default is 8 GB. */
  readonly largest?: number;
}

export interface Imported {
  readonly id: string;
  /**
   * `copy`: another session has the name, so this one got a new name. `here`: the session already exists,
   * with everything in the file's log.
   */
  readonly as: 'itself' | 'copy' | 'here';
  readonly events: number;
  /** Number of file versions, images and recordings that the existing session had lost and has back. */
  readonly recovered: number;
  /** The exported log was damaged, or something other than Harness changed it. */
  readonly isDamaged: boolean;
  /** The recording in the file is invalid, as a power loss may leave it. */
  readonly isRecordingLost: true | undefined;
}

/**
 * Imports the session from the file at `path`: an export of `exportSession`, or a log. Treats everything in
 * the file as untrusted. Rejects with `ArchiveError` if the file is damaged, and imports nothing then.
 */
export async function importSession(place: ImportPlace, path: string): Promise<Imported> {
  const archive = (await logAsArchive(path)) ?? (await ArchiveReader.open(path, place.largest));
  try {
    if (!isSessionId(archive.header.session))
      throw new ArchiveError(say('This file is damaged: its session ID is not valid.'));
    return await bringIn(place, archive);
  } finally {
    archive.close();
  }
}

/** Builds the session in a temporary folder beside the others, and renames the folder at the end. */
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

/**
 * Picks the session's own name, or one that is derived from its content. So a second import of the same file
 * finds the first one. If another session has both names, picks a new name.
 */
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

/**
 * Moves the session into place: as a new folder, or into the rest of a session that lost its log. Resolves
 * with the number of other items that the rest had lost.
 */
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
      importNotice(end.cwd, cwd),
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
    'This session’s log was damaged, or changed by another program, before it was exported. Only its intact records were imported. Do not rely on its contents.',
  ),
};

function importNotice(before: string, cwd: string): EventDraft {
  if (before === cwd || before === '') {
    const message = say(
      'This session was imported from a file. Its earlier changes cannot be undone or reviewed here.',
    );
    return { type: 'notice', message };
  }
  return {
    type: 'notice',
    message: say(
      'This session was imported from a file. Its folder was {0}; from here on it is {1}. Its earlier changes cannot be undone or reviewed here.',
      before,
      cwd,
    ),
    toModel: `This conversation goes on in another folder, maybe on another machine: it was in ${before} before, and is in ${cwd} from here on. Files may be others: read them again before you rely on them.`,
  };
}
