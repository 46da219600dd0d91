import * as vscode from 'vscode';
import { gitIn, withoutFilters } from '../../node/git/safe-git.ts';
import { workspaceRoots } from '../workspace/vscode-workspace.ts';
import { withoutSecrets } from './secret-paths.ts';

const MAX_UNTRACKED = 50;
/**
 * The changes since the last commit in the folders of the workspace. Rejects with a sentence for the user.
 */
export async function gitChanges(): Promise<string> {
  const git = await gitProgram();
  if (!git) throw new Error('Git is not available in this window.');
  const changes = await Promise.all(workspaceRoots().map(({ path }) => changesBelow(git, path)));
  const found = changes.filter((text) => text !== undefined);
  if (found.length === 0)
    throw new Error('No folder of this workspace is in a Git repository with a commit.');
  return found.filter((text) => text !== '').join('\n') || 'Nothing has changed since the last commit.';
}

/**
 * The path that VS Code's own Git extension found, never one from the workspace; undefined without that
 * extension.
 */
export async function gitProgram(): Promise<string | undefined> {
  try {
    await gitExtension()?.activate();
  } catch {
    // Then it is not active.
  }
  return activeGitProgram();
}

/** Like `gitProgram`, but undefined if the extension has not started yet, so that a prompt does not wait for it. */
export async function activeGitProgram(): Promise<string | undefined> {
  const extension = gitExtension();
  try {
    return extension?.isActive ? extension.exports.getAPI(1).git.path : undefined;
  } catch {
    // The setting `git.enabled` has disabled the extension.
    return undefined;
  }
}

function gitExtension() {
  return vscode.extensions.getExtension<{ getAPI(version: 1): { git: { path: string } } }>('vscode.git');
}

/** Undefined if the folder is not in a repository. */
async function changesBelow(program: string, folder: string): Promise<string | undefined> {
  const git = gitIn(program, folder);
  try {
    const guards = await withoutFilters(git);
    const ask = (...args: readonly string[]) => git(...guards, ...args, '--', '.', ...withoutSecrets);
    const diff = await ask('diff', 'HEAD', '--no-ext-diff', '--no-textconv', '--no-color');
    const untracked = (await ask('ls-files', '--others', '--exclude-standard')).split('\n').filter(Boolean);
    const names = untracked.slice(0, MAX_UNTRACKED).map((name) => `Not tracked: ${name}`);
    return [diff.trimEnd(), ...names].filter(Boolean).join('\n');
  } catch (error) {
    if (isTooLong(error)) return 'The changes are too many to be shown here. Ask for them by `git diff`.';
    return undefined;
  }
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
}
