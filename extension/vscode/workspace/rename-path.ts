import type { Stats } from 'node:fs';
import { lstat, mkdir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { type Change, type Workspace, WorkspaceError } from '../../core/ports/workspace.ts';
import { ifPresent } from '../../node/fs/file-errors.ts';
import { asideOf } from '../../node/fs/temporary-files.ts';
import { unsavedBelow } from './open-documents.ts';
import type { ParticipantEdits } from './participant-edits.ts';

type Move = Extract<Change, { kind: 'move' }>;

/** The previous content of the destination, stored until the move has succeeded. */
interface Room {
  putBack(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Moves through VS Code, so that language servers update imports and editors with unsaved changes follow the
 * file. If VS Code cannot do it, `disk` moves or rejects with the reason. After a failure, restores what the
 * destination contained.
 */
export async function renamePath(move: Move, disk: Workspace, edits: ParticipantEdits): Promise<void> {
  const inTheWay = await unsavedBelow(move.destination);
  if (inTheWay) throw unsaved(inTheWay, 'would be overwritten');
  const moved = await ifPresent(lstat(move.source));
  const replaced = await ifPresent(lstat(move.destination));
  if (!moved || !(await isForEditor(moved, replaced, move))) return moveOnDisk(move, disk);
  const room = replaced && !isSameEntry(moved, replaced) ? await makeRoom(replaced, move) : undefined;
  try {
    if (!(await renameInEditor(move, moved, edits))) await moveOnDisk(move, disk);
  } catch (error) {
    await room?.putBack();
    throw error;
  }
  await room?.discard();
}

/**
 * VS Code would copy to another file system without modes and times, and would replace a file with a
 * directory.
 */
async function isForEditor(
  moved: Stats,
  replaced: Stats | undefined,
  { destination }: Move,
): Promise<boolean> {
  if (replaced && moved.isDirectory() && !replaced.isDirectory()) return false;
  return moved.dev === (await deepestDirectory(destination)).stats.dev;
}

/** Refuses if an editor has unsaved changes, because the editor would not follow the move. */
async function moveOnDisk(move: Move, disk: Workspace): Promise<void> {
  const held = await unsavedBelow(move.source);
  if (held) throw unsaved(held, 'would stay behind');
  await disk.apply(move);
}

/** VS Code would delete the overwritten file before it knows that the rename succeeds. */
async function makeRoom(replaced: Stats, { destination }: Move): Promise<Room | undefined> {
  if (replaced.isDirectory()) return removeIfEmpty(destination, replaced.mode);
  const aside = asideOf(destination);
  await rename(destination, aside);
  return {
    putBack: async () => {
      if (!(await ifPresent(lstat(destination)))) await rename(aside, destination);
    },
    discard: () => unlink(aside),
  };
}

/** A directory that is not empty stays, and the rename then fails. */
async function removeIfEmpty(directory: string, mode: number): Promise<Room | undefined> {
  const removed = await rmdir(directory).then(
    () => true,
    () => false,
  );
  if (!removed) return undefined;
  const putBack = async () => {
    await mkdir(directory, { mode, recursive: true });
  };
  return { putBack, discard: async () => {} };
}

async function renameInEditor(move: Move, moved: Stats, edits: ParticipantEdits): Promise<boolean> {
  const { source, destination } = move;
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(vscode.Uri.file(source), vscode.Uri.file(destination));
  if (await edits.apply(edit, move)) return true;
  // The move may have succeeded even if a later step failed.
  const there = await ifPresent(lstat(destination));
  return there !== undefined && isSameEntry(moved, there) && !(await ifPresent(lstat(source)));
}

/** The same name in another case, or a hard link to the same file. */
function isSameEntry(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

function unsaved({ fsPath }: vscode.Uri, what: string): WorkspaceError {
  return new WorkspaceError(
    'unsaved',
    fsPath,
    `an editor holds unsaved changes that ${what}: ${fsPath}; nothing was moved. Ask the user to save or discard them`,
  );
}

export interface ExistingPath {
  readonly path: string;
  readonly stats: Stats;
}

/** The deepest existing directory above `path`. */
export async function deepestDirectory(path: string): Promise<ExistingPath> {
  const parent = dirname(path);
  const stats = await ifPresent(stat(parent));
  return stats ? { path: parent, stats } : deepestDirectory(parent);
}
