import { dirname, join, resolve } from 'node:path';
import type { ContextText } from '../ports/context-source.ts';
import { type Root, type Workspace, WorkspaceError } from '../ports/workspace.ts';
import { fillTemplate } from './system-prompt.ts';
import environment from './templates/environment.md' with { type: 'text' };

interface Place {
  /** "linux", "darwin", "win32". */
  readonly platform: string;
  /** What commands are run by. */
  readonly shell: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface WorkspaceFolder extends Root {
  /** Of Git; absent where there is none. */
  readonly branch?: string | undefined;
}

/** Where the agent works, as a model is told of it. */
export interface Environment extends Place {
  /** The first is where relative paths start from. */
  readonly folders: readonly WorkspaceFolder[];
}

/** Where the agent works, and on which day. Of a workspace that is not trusted no file is read. */
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

/** The day where the user is, as "2026-01-31". */
function dayOf(now: number): string {
  const local = new Date(now);
  local.setMinutes(local.getMinutes() - local.getTimezoneOffset());
  return local.toISOString().slice(0, 10);
}

/** A name of a folder may hold anything; here it cannot end its line or its tag. */
function escaped(value: string): string {
  return value.replace(/[&<>"\p{Cc}\p{Cf}]/gu, (character) => `&#${character.codePointAt(0)};`);
}

// The branch as git itself keeps it in files: to run git would let a repository's own settings start programs.

/** Bytes of a HEAD or a gitlink: one line. */
const MAX_LINE = 4096;

/**
 * The branch that is checked out in the repository around `folder` (absolute), also of a linked worktree or a submodule; the
 * beginning of the commit where HEAD is detached. Undefined where there is no repository, or none that can be read.
 */
export async function gitBranch(workspace: Workspace, folder: string): Promise<string | undefined> {
  const repository = await repositoryAround(workspace, folder);
  if (repository === undefined) return undefined;
  const head = await readLine(workspace, join(repository, 'HEAD'));
  const [, branch] = /^ref: refs\/heads\/([^\p{Cc}\p{Cf}\s]{1,200})$/u.exec(head) ?? [];
  // That is what a repository whose references lie elsewhere (reftable) has there.
  if (branch !== undefined) return branch === '.invalid' ? undefined : branch;
  return /^[0-9a-f]{40,64}$/.test(head) ? `detached at ${head.slice(0, 12)}` : undefined;
}

/** Where git keeps what belongs to this work tree. */
async function repositoryAround(workspace: Workspace, folder: string): Promise<string | undefined> {
  const entry = join(folder, '.git');
  const type = await typeOf(workspace, entry);
  if (type === 'directory') return entry;
  if (type === 'file') return linkedRepository(folder, await readLine(workspace, entry));
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryAround(workspace, parent);
}

/** A worktree or a submodule names its repository. One on another machine is not asked for: Windows would log in there. */
function linkedRepository(folder: string, line: string): string | undefined {
  const [, target] = /^gitdir: (.+)$/.exec(line) ?? [];
  return target === undefined || /^[\\/]{2}/.test(target) ? undefined : resolve(folder, target);
}

async function typeOf(workspace: Workspace, path: string) {
  return (await workspace.stat(path).catch(unlessUnreadable))?.type;
}

/** Empty where that is no file that can be read. */
async function readLine(workspace: Workspace, path: string): Promise<string> {
  if ((await typeOf(workspace, path)) !== 'file') return '';
  const content = await workspace.read(path, MAX_LINE).catch(unlessUnreadable);
  return new TextDecoder().decode(content?.bytes).trimEnd();
}

/** No branch is told then; the work itself will meet the problem if it matters. */
function unlessUnreadable(error: unknown): undefined {
  if (!WorkspaceError.is(error)) throw error;
}
