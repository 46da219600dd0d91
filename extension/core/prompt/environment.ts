import type { ContextText } from '../ports/context-source.ts';
import type { Root, Workspace } from '../ports/workspace.ts';
import { fillTemplate } from './fill-template.ts';
import { gitBranch } from './git-branch.ts';
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
