import { say } from '../../protocol/say.ts';
import { ABSENT } from '../ports/workspace.ts';
import type { Action } from './action.ts';
import { touchesProtected } from './risk.ts';

/** What a remembered answer would cover: `key` for comparing, `text` for the card. */
export interface Scope {
  readonly key: string;
  readonly text: string;
}

const scopes = {
  write: () => say('every edit in this workspace, but for protected files'),
  move: () => say('every move in this workspace, but for protected files'),
  patch: () => say('every patch in this workspace that moves or deletes, but for protected files'),
};

/** A patch that neither moves nor deletes counts as edits. */
function changeOf(action: Exclude<Action, { kind: 'run' | 'read' }>): keyof typeof scopes {
  if (action.kind !== 'patch') return action.kind;
  return action.files.some(({ after }) => after === ABSENT) ? 'patch' : 'write';
}

/**
 * Undefined if no answer may be remembered: changes to files outside the workspace or to files that steer
 * tools. A command is covered only if it and its folder are exactly the same, because a prefix does not
 * determine what follows it.
 */
export function scopeOf(action: Action, roots: readonly string[]): Scope | undefined {
  if (action.kind === 'run') {
    return {
      key: JSON.stringify(['run', action.cwd, action.command]),
      text: say('exactly this command in this folder'),
    };
  }
  if (action.kind === 'read') {
    const paths = action.targets.map((target) => target.path);
    return {
      key: JSON.stringify(['read', action.tool, action.recursive ?? false, ...paths]),
      text: action.recursive
        ? say('everything below {0}, by the tool {1}', paths.join(', '), action.tool)
        : say('the tool {0} on {1}', action.tool, paths.join(', ')),
    };
  }
  if (touchesProtected(action) || action.targets.some((target) => !target.inWorkspace)) return undefined;
  const kind = changeOf(action);
  return { key: JSON.stringify([kind, ...roots]), text: scopes[kind]() };
}
