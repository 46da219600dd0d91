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
  write: () => say('all edits in this workspace except protected files'),
  move: () => say('all moves in this workspace except protected files'),
  patch: () => say('all patches in this workspace that move or delete files, except protected files'),
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
      key: JSON.stringify([action.background ? 'background' : 'run', action.cwd, action.command]),
      text: say('this exact command in this folder'),
    };
  }
  if (action.kind === 'read') {
    const paths = action.targets.map((target) => target.path);
    return {
      key: JSON.stringify(['read', action.tool, action.recursive ?? false, ...paths]),
      text: action.recursive
        ? say('everything in {0}, with the tool {1}', paths.join(', '), action.tool)
        : say('the tool {0} on {1}', action.tool, paths.join(', ')),
    };
  }
  if (touchesProtected(action) || action.targets.some((target) => !target.inWorkspace)) return undefined;
  const kind = changeOf(action);
  return { key: JSON.stringify([kind, ...roots]), text: scopes[kind]() };
}
