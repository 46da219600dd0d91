import { relative } from 'node:path';
import type { ActionView } from '../../protocol/events.ts';
import { ABSENT, type Root } from '../ports/workspace.ts';
import type { Action, Target } from './action.ts';
import { isProtected } from './protected-paths.ts';
import type { Scope } from './scope.ts';

/** What a person is shown before they decide: the resolved effect, in one sentence and its exact detail. */
export function describeAction(action: Action, scope: Scope | undefined, roots: readonly Root[]): ActionView {
  return {
    title: titleOf(action, roots),
    detail: detailOf(action),
    warnings: warningsOf(action),
    ...(scope && { remember: scope.text }),
    ...(action.kind === 'write' && { added: action.added, removed: action.removed }),
  };
}

/** A path as people of this workspace call it. */
function shortPath(path: string, roots: readonly Root[]): string {
  const root = roots.find((candidate) => path === candidate.path || path.startsWith(`${candidate.path}/`));
  if (!root) return path;
  const inside = relative(root.path, path) || '.';
  return roots.length > 1 ? `${root.name}/${inside}` : inside;
}

function titleOf(action: Action, roots: readonly Root[]): string {
  const [first, second] = action.targets.map((target) => shortPath(target.path, roots));
  switch (action.kind) {
    case 'run':
      return 'Run this command?';
    case 'read':
      return action.recursive ? `Search everything below ${first}?` : `Read ${first}?`;
    case 'write':
      return action.before === ABSENT ? `Create ${first}?` : `Change ${first}?`;
    case 'move':
      return `Move ${first} to ${second}?`;
  }
}

function detailOf(action: Action): string {
  if (action.kind === 'run') return action.command;
  return action.targets.map((target) => target.path).join('\n');
}

function warningsOf(action: Action): string[] {
  const warnings = action.targets.flatMap((target) => targetWarnings(target, action.kind !== 'read'));
  if (action.kind === 'run') warnings.push(`runs in ${action.cwd} with your rights`);
  if (action.kind === 'write' && action.unsaved)
    warnings.push('the editor has unsaved changes in this file; they are saved with it');
  if (action.kind === 'move' && action.overwrites) warnings.push('replaces what is there');
  return warnings;
}

function targetWarnings(target: Target, changes: boolean): string[] {
  const warnings: string[] = [];
  if (!target.inWorkspace) warnings.push(`outside the workspace: ${target.path}`);
  if (changes && isProtected(target.path)) warnings.push(`steers other tools: ${target.path}`);
  return warnings;
}
