import type { Risk } from '../../protocol/events.ts';
import type { Action } from './action.ts';
import { isProtected } from './protected-paths.ts';

/** How much harm the action could do, judged only by what it touches. Every command is `high`. */
export function riskOf(action: Action): Risk {
  if (action.kind === 'run') return 'high';
  const outside = action.targets.some((target) => !target.inWorkspace);
  if (action.kind === 'read') return outside ? 'medium' : 'safe';
  return outside || touchesProtected(action) ? 'high' : 'medium';
}

/** The action changes a file that steers tools. No remembered answer covers it. */
export function touchesProtected(action: Action): boolean {
  return action.kind !== 'read' && action.targets.some((target) => isProtected(target.path));
}
