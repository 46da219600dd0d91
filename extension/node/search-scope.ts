import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { WorkspaceError } from '../core/ports/workspace.ts';
import { asWorkspaceErrors } from './file-errors.ts';
import { isIgnored, rulesAbove } from './ignore-rules.ts';

/** What is searched: one file, the files directly in a directory, or all below it, `ignored` files too or not. */
export type SearchScope =
  | { readonly kind: 'file' }
  | { readonly kind: 'directory' }
  | { readonly kind: 'tree'; readonly ignored: boolean };

/** Rejects with `WorkspaceError` for what cannot be searched: nothing there, no permission, a pipe or device. */
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
  if (!recursive) return { kind: 'directory' };
  return { kind: 'tree', ignored: isIgnored(await rulesAbove(path), path, true) };
}
