import { dirname, join, resolve } from 'node:path';
import { escaped } from '../base/text/harmless-text.ts';
import type { ContextText } from '../ports/context-source.ts';
import { type Root, type Workspace, WorkspaceError } from '../ports/workspace.ts';
import { fillTemplate } from './system-prompt.ts';
import environment from './templates/environment.md' with { type: 'text' };

interface Place {
  /** "linux", "darwin", "win32". */
  readonly platform: string;
  /** The shell that runs commands. */
  readonly shell: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface WorkspaceFolder extends Root {
  /** The git branch; absent if there is no repository. */
  readonly branch?: string | undefined;
}

/** Where the agent works, as the model reads it. */
export interface Environment extends Place {
  /** Relative paths start from the first one. */
  readonly folders: readonly WorkspaceFolder[];
}

/** Where the agent works, and the current day. Reads no file of an untrusted workspace. */
export async function environmentContext({
  workspace,
  ...place
}: Place & { readonly workspace: Workspace }): Promise<ContextText> {
  const folders = await Promise.all(workspace.roots.map((root) => withBranch(workspace, root)));
  return toEnvironmentContext({ ...place, folders });
}

export function toEnvironmentContext({ folders, platform, shell, now }: Environment): ContextText {
  const [first] = folders;
  const text = fillTemplate(environment, {
    folders: first
      ? [`<cwd>${escaped(first.path)}</cwd>`, ...folders.map(folderLine)].join('\n')
      : '<folder>none is open</folder>',
    shell: escaped(shell),
    platform: escaped(platform),
    date: dayOf(now),
  });
  return { kind: 'environment', text };
}

async function withBranch(workspace: Workspace, root: Root): Promise<WorkspaceFolder> {
  const branch = workspace.trusted() ? await gitBranch(workspace, root.path) : undefined;
  return { ...root, branch };
}

function folderLine({ name, path, branch }: WorkspaceFolder): string {
  const attribute = branch === undefined ? '' : ` git_branch="${escaped(branch)}"`;
  return `<folder name="${escaped(name)}"${attribute}>${escaped(path)}</folder>`;
}

/** The day in the user's time zone, as "2026-01-31". */
function dayOf(now: number): string {
  const local = new Date(now);
  local.setMinutes(local.getMinutes() - local.getTimezoneOffset());
  return local.toISOString().slice(0, 10);
}

// Reads the branch from git's own files, because running git would let a repository's settings start
// programs.

/** Limit in bytes for a HEAD or a gitlink, which is one line. */
const MAX_LINE = 4096;

/**
 * The branch that is checked out in the repository around `folder` (absolute). Also works in a linked
 * worktree or a submodule. If HEAD is detached, the beginning of its commit. Undefined if there is no
 * readable repository.
 */
export async function gitBranch(workspace: Workspace, folder: string): Promise<string | undefined> {
  const repository = await repositoryAround(workspace, folder);
  if (repository === undefined) return undefined;
  const head = await readLine(workspace, join(repository, 'HEAD'));
  const [, branch] = /^ref: refs\/heads\/([^\p{Cc}\p{Cf}\s]{1,200})$/u.exec(head) ?? [];
  // A repository whose references are stored elsewhere (reftable) has this name in HEAD.
  if (branch !== undefined) return branch === '.invalid' ? undefined : branch;
  return /^[0-9a-f]{40,64}$/.test(head) ? `detached at ${head.slice(0, 12)}` : undefined;
}

/** The folder where git stores the data of this worktree. */
export async function repositoryAround(workspace: Workspace, folder: string): Promise<string | undefined> {
  const entry = join(folder, '.git');
  const type = await typeOf(workspace, entry);
  if (type === 'directory') return entry;
  if (type === 'file') return linkedRepository(folder, await readLine(workspace, entry));
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryAround(workspace, parent);
}

/**
 * A worktree or a submodule names its repository. Ignores one on another machine, because Windows would log
 * in there.
 */
function linkedRepository(folder: string, line: string): string | undefined {
  const [, target] = /^gitdir: (.+)$/.exec(line) ?? [];
  return target === undefined || /^[\\/]{2}/.test(target) ? undefined : resolve(folder, target);
}

async function typeOf(workspace: Workspace, path: string) {
  return (await workspace.stat(path).catch(unlessUnreadable))?.type;
}

/** Empty if there is no readable file. */
async function readLine(workspace: Workspace, path: string): Promise<string> {
  if ((await typeOf(workspace, path)) !== 'file') return '';
  const content = await workspace.read(path, MAX_LINE).catch(unlessUnreadable);
  return new TextDecoder().decode(content?.bytes).trimEnd();
}

/** Then the model gets no branch. If the file matters, the work itself meets the problem. */
function unlessUnreadable(error: unknown): undefined {
  if (!WorkspaceError.is(error)) throw error;
}
