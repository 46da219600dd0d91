import type { PermissionMode } from '../../protocol/messages.ts';
import { say } from '../../protocol/say.ts';
import { isInside } from '../base/paths.ts';
import type { Policy } from '../ports/policy-store.ts';
import { type Action, deletedFiles } from './action.ts';
import { riskOf, touchesProtected } from './risk.ts';
import type { Scope } from './scope.ts';

export interface Standing {
  readonly mode: PermissionMode;
  readonly trusted: boolean;
  /** The policies of the action's scope; others are ignored. Undefined if they cannot be read. */
  readonly policies: readonly Policy[] | undefined;
  /** Keys of the scopes that were allowed in this session. */
  readonly granted: ReadonlySet<string>;
  /** Harness's own folder: sessions, policies, audit log. Absolute, links resolved. */
  readonly home: string;
  /** The folder of this session's long outputs, below `home` or elsewhere. Absolute, links resolved. */
  readonly outputs?: string | undefined;
}

export type Verdict =
  | { readonly decision: 'allow' | 'deny'; readonly by: 'policy' | 'user' | 'mode'; readonly rule: string }
  | { readonly decision: 'ask'; readonly rule: string };

/**
 * Applies the rules to an action. A pure function of the action and of state outside the workspace and the
 * model's reach. Refusals come before any allowance.
 */
export function evaluate(action: Action, scope: Scope | undefined, standing: Standing): Verdict {
  const { mode } = standing;
  if (!standing.trusted) return { decision: 'deny', by: 'mode', rule: say('the workspace is not trusted') };
  const remembered = (standing.policies ?? []).filter((policy) => policy.scope === scope?.key);
  if (remembered.some((policy) => policy.decision === 'deny')) return policy('deny');
  if (mode === 'plan' && action.kind !== 'read') {
    return { decision: 'deny', by: 'mode', rule: say('Plan mode is read-only') };
  }
  if (changesHome(action, standing.home)) return { decision: 'ask', rule: say("Harness's own files") };
  if (!standing.policies && riskOf(action) !== 'safe')
    return { decision: 'ask', rule: say('policies.json cannot be read') };
  if (readsOutputs(action, standing.outputs))
    return { decision: 'allow', by: 'mode', rule: say('output of this session') };
  if (riskOf(action) === 'safe') return { decision: 'allow', by: 'mode', rule: harmless(action) };
  if (mode === 'bypass') return { decision: 'allow', by: 'mode', rule: say('Bypass Approvals mode') };
  if (remembered.length > 0) return policy('allow');
  if (scope && standing.granted.has(scope.key)) {
    return { decision: 'allow', by: 'user', rule: say('allowed in this session') };
  }
  if (mode === 'acceptEdits' && isOrdinaryEdit(action)) {
    return { decision: 'allow', by: 'mode', rule: say('Accept Edits mode') };
  }
  return { decision: 'ask', rule: riskOf(action) === 'high' ? say('high risk') : say('medium risk') };
}

function harmless({ targets }: Action): string {
  return targets.length === 0 ? say('no side effects') : say('read-only in the workspace');
}

function policy(decision: 'allow' | 'deny'): Verdict {
  return { decision, by: 'policy', rule: 'policies.json' };
}

function changesHome(action: Action, home: string): boolean {
  return (
    action.kind !== 'read' && action.targets.some(({ path }) => path === home || path.startsWith(`${home}/`))
  );
}

/** Reads only what this session's commands printed, which the model may read anyway. */
function readsOutputs({ kind, targets }: Action, outputs: string | undefined): boolean {
  if (kind !== 'read' || outputs === undefined || targets.length === 0) return false;
  return targets.every(({ path }) => isInside(outputs, path));
}

/**
 * Inside the workspace, touching no file that steers tools and no unsaved changes of an editor, and deleting
 * no file.
 */
function isOrdinaryEdit(action: Action): boolean {
  if (action.kind === 'read' || action.kind === 'run') return false;
  if (action.kind !== 'move' && action.unsaved) return false;
  if (action.kind === 'patch' && deletedFiles(action).length > 0) return false;
  return !touchesProtected(action) && action.targets.every((target) => target.inWorkspace);
}
