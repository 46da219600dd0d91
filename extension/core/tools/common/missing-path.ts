import { isInside } from '../../base/paths.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { Target } from '../../permission/action.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { statRegularFile } from './existing-file.ts';
import { asToolErrors, directoryWords } from './workspace-failure.ts';

/**
 * The error for a path at which nothing is: `words`, and the existing paths that may be meant. Names none
 * outside the workspace, because the gate has not allowed to look there.
 */
export async function missingPath(
  workspace: Workspace,
  { path, inWorkspace }: Target,
  words: string,
  signal: AbortSignal,
): Promise<ToolError> {
  const near = inWorkspace ? await nearInRoot(workspace, path, signal) : [];
  return new ToolError(near.length > 0 ? `${words}; did you mean ${listed(near)}?` : words, {
    code: 'not_found',
  });
}

export async function requireDirectory(
  workspace: Workspace,
  target: Target,
  signal: AbortSignal,
): Promise<void> {
  const { path } = target;
  const stat = await asToolErrors(workspace.stat(path), directoryWords);
  if (!stat) throw await missingPath(workspace, target, `path does not exist: ${path}`, signal);
  if (stat.type !== 'directory') throw new ToolError(`not a directory: ${path}`, { code: 'invalid_input' });
}

export async function requireFile(workspace: Workspace, target: Target, signal: AbortSignal): Promise<void> {
  if (await statRegularFile(workspace, target.path)) return;
  throw await missingPath(workspace, target, `file not found: ${target.path}`, signal);
}

/** A hint must not replace the error, so a failure gives none. */
async function nearInRoot(workspace: Workspace, path: string, signal: AbortSignal) {
  try {
    const roots = await Promise.all(workspace.roots.map((root) => workspace.realpath(root.path)));
    const root = roots.find((folder) => isInside(folder, path));
    return root === undefined ? [] : await workspace.near(path, root, signal);
  } catch {
    return [];
  }
}

function listed(paths: readonly string[]): string {
  return paths.length > 1 ? `${paths.slice(0, -1).join(', ')} or ${paths.at(-1)}` : (paths[0] ?? '');
}
