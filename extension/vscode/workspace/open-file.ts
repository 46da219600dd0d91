import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, normalize, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import { isInside } from '../../core/base/paths.ts';
import type { Root } from '../../core/ports/workspace.ts';
import { workspaceRoots } from './vscode-workspace.ts';

/**
 * The path as the model wrote it: absolute, relative to a workspace folder, or beginning with such a folder's
 * name.
 */
interface FilePlace {
  readonly path: string;
  /** From 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/**
 * Shows a file of the workspace in an editor, or a folder in the explorer. Rejects with a sentence for the
 * user.
 */
export async function openFile({ path, line, column = 1 }: FilePlace): Promise<void> {
  const found = await findInWorkspace(path, workspaceRoots());
  const uri = vscode.Uri.file(found.path);
  if (found.isFolder) await vscode.commands.executeCommand('revealInExplorer', uri);
  else await vscode.commands.executeCommand('vscode.open', uri, { preview: true, ...selected(line, column) });
}

function selected(line: number | undefined, column: number): { selection?: vscode.Range } {
  if (line === undefined) return {};
  const position = new vscode.Position(line - 1, column - 1);
  return { selection: new vscode.Range(position, position) };
}

async function findInWorkspace(
  given: string,
  roots: readonly Root[],
): Promise<{ path: string; isFolder: boolean }> {
  const folders = (await Promise.all(roots.map(({ path }) => withRealPath(path)))).flat();
  const inside = candidates(given, roots).filter((path) => folders.some((folder) => isInside(folder, path)));
  if (inside.length === 0)
    throw new Error(
      vscode.l10n.t('{0} is outside this workspace. Harness opens only files in the workspace.', given),
    );
  for (const path of inside) {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) continue;
    // A link in the workspace may point outside it.
    if (!folders.some((folder) => isInside(folder, real)))
      throw new Error(
        vscode.l10n.t(
          '{0} links to {1}, which is outside this workspace. Harness opens only files in the workspace.',
          given,
          real,
        ),
      );
    return { path, isFolder: (await stat(path)).isDirectory() };
  }
  throw new Error(vscode.l10n.t('File {0} was not found in this workspace.', given));
}

function candidates(given: string, roots: readonly Root[]): string[] {
  if (isAbsolute(given)) return [resolve(given)];
  const [head, ...rest] = normalize(given).split(sep);
  const named = roots.filter(({ name }) => name === head).map(({ path }) => resolve(path, ...rest));
  return [...roots.map(({ path }) => resolve(path, given)), ...named];
}

async function withRealPath(folder: string): Promise<string[]> {
  return [folder, await realpath(folder).catch(() => folder)];
}
