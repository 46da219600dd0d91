import { basename, dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import type { Target } from '../permission/action.ts';
import type { Root, Workspace } from '../ports/workspace.ts';
import { isInside } from './is-inside.ts';
import { oddSpelling } from './odd-spelling.ts';
import { ToolError } from './tool.ts';
import { asToolErrors } from './workspace-failure.ts';

/**
 * The path that a tool will touch: absolute, without links. `given` is absolute or relative to the first root; with
 * several roots it may begin with a root's name. Rejects with `ToolError`.
 */
export async function resolveTarget(workspace: Workspace, given: string): Promise<Target> {
  const path = await asToolErrors(workspace.realpath(absolutePath(workspace.roots, given)));
  return toTarget(workspace, given, path);
}

/** As `resolveTarget`, but a link at the end of the path is meant itself and not what it leads to. */
export async function resolveEntry(workspace: Workspace, given: string): Promise<Target> {
  const path = absolutePath(workspace.roots, given);
  return entryTarget(workspace, given, path);
}

/** The directory entry at an absolute path: its parents without links, its own name as it is. */
export async function entryTarget(workspace: Workspace, given: string, path: string): Promise<Target> {
  const parent = await asToolErrors(workspace.realpath(dirname(path)));
  return toTarget(workspace, given, join(parent, basename(path)));
}

/** Rejects with `ToolError` where the path leads elsewhere since it was resolved (a link was put in its way). */
export async function confirmPath(workspace: Workspace, path: string): Promise<void> {
  const now = await asToolErrors(workspace.realpath(path));
  if (now !== path) throw new ToolError(`not done: ${path} now leads to ${now}; look again and repeat it`);
}

/** The folder that relative paths start from. */
export function firstRoot(roots: readonly Root[]): Root {
  const [root] = roots;
  if (root) return root;
  throw new ToolError('No folder is open: give an absolute path, or ask the user to open a folder');
}

function absolutePath(roots: readonly Root[], given: string): string {
  const odd = oddSpelling(given, sep === '\\');
  if (odd !== undefined) throw new ToolError(odd);
  if (isAbsolute(given)) return resolve(given);
  const first = firstRoot(roots);
  const [head, ...rest] = normalize(given).split(sep);
  const named = roots.length > 1 ? roots.find((root) => root.name === head) : undefined;
  return named ? resolve(named.path, ...rest) : resolve(first.path, given);
}

async function toTarget(workspace: Workspace, given: string, path: string): Promise<Target> {
  const roots = await asToolErrors(Promise.all(workspace.roots.map((root) => workspace.realpath(root.path))));
  return { path, given, inWorkspace: roots.some((root) => isInside(root, path)) };
}
