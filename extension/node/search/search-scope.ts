import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { WorkspaceError } from '../../core/ports/workspace.ts';
import { asWorkspaceErrors } from '../fs/file-errors.ts';
import { isBelowRepository, isIgnored, isRepository, rulesAbove } from './ignore-rules.ts';

/** The searched files: one file, the files directly in a directory, or all files below it. */
export type SearchScope = { readonly kind: 'file' } | { readonly kind: 'directory' } | TreeScope;

export interface TreeScope {
  readonly kind: 'tree';
  /** The ignore files name the directory itself, so they do not apply below it. */
  readonly isIgnored: boolean;
  /** The directory lies in a Git repository, whose rules end at its root. */
  readonly isInRepository: boolean;
}

/** Rejects with `WorkspaceError` if the path is missing, denied, or a pipe or device. */
export async function findScope(path: string, recursive: boolean): Promise<SearchScope> {
  const found = await asWorkspaceErrors(path, stat(path));
  if (!found.isFile() && !found.isDirectory()) {
    throw new WorkspaceError('not-regular', path, `not a regular file: ${path} (a device, socket or pipe)`);
  }
  await asWorkspaceErrors(
    path,
    access(path, found.isFile() ? constants.R_OK : constants.R_OK | constants.X_OK),
  );
  if (found.isFile()) return { kind: 'file' };
  return recursive ? findTree(path) : { kind: 'directory' };
}

async function findTree(path: string): Promise<TreeScope> {
  const above = await rulesAbove(path);
  const isRoot = await isRepository(path);
  return {
    kind: 'tree',
    isIgnored: !isRoot && isIgnored(above, path, true),
    isInRepository: isRoot || isBelowRepository(above),
  };
}
