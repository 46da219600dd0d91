import { fitItems } from '../base/text/fit-items.ts';
import { escaped } from '../base/text/harmless-text.ts';
import type { ContextText } from '../ports/context-source.ts';
import type { ChangedFile, GitStatus } from '../ports/git-status.ts';
import type { Workspace } from '../ports/workspace.ts';
import { repositoryAround } from './environment.ts';
import { fillTemplate } from './system-prompt.ts';
import git from './templates/git.md' with { type: 'text' };
import { ofEachFolder } from './workspace-files.ts';

/** What differs from the last commit in each folder that is in a repository. */
export async function gitContext(workspace: Workspace, statusOf: GitStatus): Promise<ContextText> {
  const changes = await ofEachFolder(workspace.roots, async ({ path }, limit) => {
    const isInRepository = (await repositoryAround(workspace, path)) !== undefined;
    const changed = isInRepository ? await statusOf(path) : undefined;
    return changed ? describeChanges(changed, limit) : '';
  });
  const isKnown = changes !== '';
  const text = fillTemplate(git, { changes: isKnown ? changes : 'not known' });
  return { kind: 'git', text, ...(!isKnown && { implied: true }) };
}

function describeChanges(changed: readonly ChangedFile[], limit: number): string {
  if (changed.length === 0) return 'nothing has changed since the last commit';
  const counts = KINDS.flatMap(([name, isKind]) => {
    const count = changed.filter(({ state }) => isKind(state)).length;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  const summary = `${counts.join(', ')}:\n`;
  const lines = changed.map(({ state, path }) => `${state} ${escaped(path)}`);
  return summary + fitItems(lines, limit - summary.length, '\n');
}

/** By the two letters of a state. Each state is of one kind. */
const KINDS: readonly (readonly [string, (state: string) => boolean])[] = [
  ['in conflict', isConflict],
  ['untracked', (state) => state === '??'],
  ['added', (state) => !isConflict(state) && state.includes('A')],
  ['deleted', (state) => !isConflict(state) && !state.includes('A') && state.includes('D')],
  ['modified', (state) => !isConflict(state) && !/[AD?]/.test(state)],
];

function isConflict(state: string): boolean {
  return state.includes('U') || state === 'AA' || state === 'DD';
}
