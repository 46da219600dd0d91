import { basename, dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import { isInside } from '../../base/paths.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { Target } from '../../permission/action.ts';
import type { Root, Workspace } from '../../ports/workspace.ts';
import { asToolErrors } from './workspace-failure.ts';

/**
 * The path that a tool will touch: absolute, links resolved. `given` is absolute or relative to the first
 * root. If there are several roots, it may begin with a root's name. Rejects with `ToolError`.
 */
export async function resolveTarget(workspace: Workspace, given: string): Promise<Target> {
  const path = await asToolErrors(workspace.realpath(absolutePath(workspace.roots, given)));
  return toTarget(workspace, given, path);
}

/** Like `resolveTarget`, but for a link at the end of the path, returns the link itself. */
export async function resolveEntry(workspace: Workspace, given: string): Promise<Target> {
  const path = absolutePath(workspace.roots, given);
  return entryTarget(workspace, given, path);
}

/** The directory entry at an absolute path: resolves links in its parents, and keeps its own name. */
export async function entryTarget(workspace: Workspace, given: string, path: string): Promise<Target> {
  const parent = await asToolErrors(workspace.realpath(dirname(path)));
  return toTarget(workspace, given, join(parent, basename(path)));
}

/**
 * Rejects with `ToolError` if the path leads elsewhere than when it was resolved, for example through a new
 * link.
 */
export async function confirmPath(workspace: Workspace, path: string): Promise<void> {
  const now = await asToolErrors(workspace.realpath(path));
  if (now !== path)
    throw new ToolError(`not done: ${path} now leads to ${now}; look again and repeat it`, {
      code: 'conflict',
    });
}

/** Relative paths start from this folder. */
export function firstRoot(roots: readonly Root[]): Root {
  const [root] = roots;
  if (root) return root;
  throw new ToolError('No folder is open: give an absolute path, or ask the user to open a folder', {
    code: 'not_found',
  });
}

function absolutePath(roots: readonly Root[], given: string): string {
  const odd = ambiguousSpelling(given, sep === '\\');
  if (odd !== undefined) throw new ToolError(odd, { code: 'invalid_input' });
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

// Spellings of a path that do not mean what they seem to. Tools refuse them, so that the path that is shown,
// checked and touched is always the same.

const URI = /^[a-z][a-z0-9+.-]+:\/\//i;

/** Why this spelling is refused; undefined if it is not. */
export function ambiguousSpelling(path: string, windows: boolean): string | undefined {
  if (path === '') return 'path is empty: give the path of a file or directory';
  if (path.includes('\0')) return 'path contains a NUL character';
  if (URI.test(path)) return `path is a URI: ${path}; give a plain path`;
  if (/^~([\\/]|$)/.test(path)) return `~ is not expanded: ${path}; give an absolute path`;
  return windows && oddOnWindows(path) ? `path is spelled in a way that is not accepted: ${path}` : undefined;
}

/** Devices, `\\server\share`, alternate streams, trailing dots and blanks, short names, reserved names. */
function oddOnWindows(path: string): boolean {
  if (/^[\\/]{2}|^[\\/]\?\?/.test(path)) return true;
  return path
    .replace(/^[a-z]:/i, '')
    .split(/[\\/]/)
    .some((segment) => segment !== '.' && segment !== '..' && isOddSegment(segment));
}

function isOddSegment(segment: string): boolean {
  return (
    /[:<>"|?*]/.test(segment) ||
    /[. ]$/.test(segment) ||
    /^[^.]{1,6}~\d+(\.[^.]{0,3})?$/.test(segment) ||
    /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(segment)
  );
}
