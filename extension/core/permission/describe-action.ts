import { relative } from 'node:path';
import type { ActionView } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
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
  const [first = '', second = ''] = action.targets.map((target) => shortPath(target.path, roots));
  switch (action.kind) {
    case 'run':
      return say('Run this command?');
    case 'read':
      return action.recursive ? say('Search everything below {0}?', first) : say('Read {0}?', first);
    case 'write':
      return action.before === ABSENT ? say('Create {0}?', first) : say('Change {0}?', first);
    case 'move':
      return say('Move {0} to {1}?', first, second);
  }
}

function detailOf(action: Action): string {
  if (action.kind === 'run') return action.command;
  return action.targets.map((target) => target.path).join('\n');
}

function warningsOf(action: Action): string[] {
  const warnings = action.targets.flatMap((target) => targetWarnings(target, action.kind !== 'read'));
  if (action.kind === 'run') warnings.push(say('runs in {0} with your rights', action.cwd));
  if (action.kind === 'write' && action.unsaved)
    warnings.push(say('the editor has unsaved changes in this file; they are saved with it'));
  if (action.kind === 'move' && action.overwrites) warnings.push(say('replaces what is there'));
  return warnings;
}

function targetWarnings(target: Target, changes: boolean): string[] {
  const warnings: string[] = [];
  if (!target.inWorkspace) warnings.push(say('outside the workspace: {0}', target.path));
  if (changes && isProtected(target.path)) warnings.push(say('steers other tools: {0}', target.path));
  return warnings;
}
