import type { PermissionMode } from '../../protocol/messages.ts';
import type { ContextText } from '../ports/context-source.ts';
import { fillTemplate } from './system-prompt.ts';
import defaultMode from './templates/collaboration/default.md' with { type: 'text' };
import planMode from './templates/collaboration/plan.md' with { type: 'text' };
import acceptEdits from './templates/permissions/acceptEdits.md' with { type: 'text' };
import ask from './templates/permissions/ask.md' with { type: 'text' };
import bypass from './templates/permissions/bypass.md' with { type: 'text' };
import plan from './templates/permissions/plan.md' with { type: 'text' };
import permissions from './templates/permissions.md' with { type: 'text' };
import sandbox from './templates/sandbox.md' with { type: 'text' };
import untrusted from './templates/sandbox-untrusted.md' with { type: 'text' };

const MODES: Readonly<Record<PermissionMode, string>> = { ask, acceptEdits, plan, bypass };

/** What the gate allows. */
export function permissionsContext(mode: PermissionMode, trusted: boolean): ContextText {
  const text = fillTemplate(permissions, {
    mode: fillTemplate(MODES[mode]),
    sandbox: fillTemplate(trusted ? sandbox : untrusted),
  });
  return { kind: 'permissions', text };
}

/**
 * How the user and the agent work together. For the default mode, the text is needed only after another mode.
 */
export function collaborationContext(mode: PermissionMode): ContextText {
  return mode === 'plan'
    ? { kind: 'collaboration', text: fillTemplate(planMode) }
    : { kind: 'collaboration', text: fillTemplate(defaultMode), implied: true };
}
