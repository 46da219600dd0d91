import type { Stats } from 'node:fs';
import { lstat, rename, rmdir, unlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type Change, type Workspace, WorkspaceError } from '../core/ports/workspace.ts';
import { ifPresent } from '../node/file-errors.ts';
import { temporaryBeside } from '../node/rename-into-place.ts';
import { deepestDirectory } from './deepest-directory.ts';
import { unsavedBelow } from './open-documents.ts';

type Move = Extract<Change, { kind: 'move' }>;

/**
 * Moves through VS Code, so that language servers mend imports and editors with unsaved changes go along. What VS Code
 * cannot do, `disk` does, or says why not. What the destination held is there again where the move failed.
 */
export async function renamePath(move: Move, disk: Workspace): Promise<void> {
  const inTheWay = await unsavedBelow(move.destination);
  if (inTheWay) throw unsaved(inTheWay, 'would be overwritten');
  if (await isAcrossDevices(move)) return moveOnDisk(move, disk);
  const putBack = await makeRoom(move);
  try {
    if (!(await renameInEditor(move))) await moveOnDisk(move, disk);
  } catch (error) {
    await putBack?.undo();
    throw error;
  }
  await putBack?.finish();
}

async function renameInEditor({ source, destination }: Move): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(vscode.Uri.file(source), vscode.Uri.file(destination));
  return vscode.workspace.applyEdit(edit);
}

/** An editor would stay behind with what is unsaved in it. */
async function moveOnDisk(move: Move, disk: Workspace): Promise<void> {
  const held = await unsavedBelow(move.source);
  if (held) throw unsaved(held, 'would stay behind');
  await disk.apply(move);
}

/** VS Code would delete what is overwritten before it knows that the rename works; so it is put aside. */
async function makeRoom({ source, destination }: Move) {
  const old = await ifPresent(lstat(destination));
  if (!old || isSameEntry(old, await ifPresent(lstat(source)))) return undefined;
  if (old.isDirectory()) {
    // One that is not empty stays, and the rename is refused.
    await rmdir(destination).catch(() => undefined);
    return undefined;
  }
  const aside = temporaryBeside(destination);
  await rename(destination, aside);
  return { undo: () => rename(aside, destination), finish: () => unlink(aside) };
}

function isSameEntry(a: Stats, b: Stats | undefined): boolean {
  return a.ino === b?.ino && a.dev === b.dev;
}

async function isAcrossDevices({ source, destination }: Move): Promise<boolean> {
  const moved = await ifPresent(lstat(source));
  return moved !== undefined && moved.dev !== (await deepestDirectory(destination)).stats.dev;
}

function unsaved({ fsPath }: vscode.Uri, what: string): WorkspaceError {
  return new WorkspaceError(
    'unsaved',
    fsPath,
    `an editor holds unsaved changes that ${what}: ${fsPath}; nothing was moved. Ask the user to save or discard them`,
  );
}
