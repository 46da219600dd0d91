import type { ContextText } from '../ports/context-source.ts';
import type { Root, Workspace } from '../ports/workspace.ts';
import { fillTemplate } from './fill-template.ts';
import { gitBranch } from './git-branch.ts';
import environment from './templates/environment.md' with { type: 'text' };

export interface Environment {
  readonly workspace: Workspace;
  /** "linux", "darwin", "win32". */
  readonly platform: string;
  /** What commands are run by. */
  readonly shell: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Where the agent works, and on which day. Of a workspace that is not trusted no file is read. */
export async function environmentContext({
  workspace,
  platform,
  shell,
  now,
}: Environment): Promise<ContextText> {
  const folders = await Promise.all(workspace.roots.map((root) => folderLine(workspace, root)));
  const [first] = workspace.roots;
  const text = fillTemplate(environment, {
    folders: first
      ? [`<cwd>${escaped(first.path)}</cwd>`, ...folders].join('\n')
      : '<folder>none is open</folder>',
    shell: escaped(shell),
    platform: escaped(platform),
    date: dayOf(now),
  });
  return { kind: 'environment', text };
}

async function folderLine(workspace: Workspace, { name, path }: Root): Promise<string> {
  const branch = workspace.trusted() ? await gitBranch(workspace, path) : undefined;
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
