// Restores step by step in quick picks: the point, the scope, the plan for each file, and the confirmation.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import {
  planSession,
  type Restored,
  type RestorePlan,
  type RestoreScope,
  redoRestore,
  reportBackground,
  restoreSession,
} from '../../app/checkpoints/restore-session.ts';
import { REMOVED_IS_KEPT, shortName, untrackedChangesNotice } from '../../core/checkpoints/restore/notice.ts';
import type { PlannedRestore } from '../../core/checkpoints/restore/types.ts';
import { type RestorePoint, restorePointsOf } from '../../core/checkpoints/restore-points.ts';
import { oneLine } from '../base/describe-event.ts';
import { errorMessage, localize } from '../base/localize.ts';
import type { WindowParts } from '../panel/panel-parts.ts';
import { workspaceRoots } from '../workspace/vscode-workspace.ts';
import { countFiles, describeStep, stepIcon } from './describe-restore.ts';

type Choices = Map<string, 'mine' | 'restore'>;

/** Resolves with undefined if the user cancels. Rejects as `restoreSession` does. */
export async function pickAndRestore(parts: WindowParts): Promise<Restored | undefined> {
  await parts.sessions.whole();
  const { id, log } = parts.sessions.shown.workedOn;
  await reportBackground(parts, id);
  const point = await pickPoint(restorePointsOf(log.events));
  const scope = point && (await pickScope(point));
  if (!scope) return undefined;
  const { plan, unknown } = await planSession(parts, id, point.to, scope);
  const choices: Choices = new Map();
  if (scope !== 'conversation' && !(await confirmPlan(parts, id, { plan, unknown }, choices)))
    return undefined;
  return restoreSession(parts, { session: id, seq: point.to, scope, plan, choices });
}

async function pickPoint(points: readonly RestorePoint[]): Promise<RestorePoint | undefined> {
  if (points.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No session has started yet.'));
    return undefined;
  }
  const items = points.map((point) => ({
    label: `${point.next === 'prompt' ? '$(comment)' : '     $(edit)'} ${oneLine(point.title)}`,
    description: [
      point.files > 0 ? countFiles(point.files) : '',
      point.isUnknown ? vscode.l10n.t('some changes unknown') : '',
      timeOf(point),
    ]
      .filter(Boolean)
      .join(' · '),
    point,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Restore Checkpoint'),
    placeHolder: vscode.l10n.t('Select a prompt or tool call to restore the point before it'),
    matchOnDescription: true,
  });
  return picked?.point;
}

async function pickScope({ next }: RestorePoint): Promise<RestoreScope | undefined> {
  const items: (vscode.QuickPickItem & { scope: RestoreScope })[] = [
    {
      label: vscode.l10n.t('Files'),
      detail: vscode.l10n.t('Undoes Harness’s later changes. The conversation continues.'),
      scope: 'files',
    },
    {
      label: vscode.l10n.t('Files and Conversation'),
      detail: vscode.l10n.t('Continues from that point in a new session. This session stays unchanged.'),
      scope: 'both',
    },
    {
      label: vscode.l10n.t('Conversation'),
      detail: vscode.l10n.t('Continues from that point in a new session. Your files stay unchanged.'),
      scope: 'conversation',
    },
  ];
  const title =
    next === 'prompt'
      ? vscode.l10n.t('Restore to Before This Prompt')
      : vscode.l10n.t('Restore to Before This Tool Call');
  return (await vscode.window.showQuickPick(items, { title }))?.scope;
}

/** Shows the dry run until the user confirms or cancels. Adds the user's decisions to `choices`. */
async function confirmPlan(
  { changes }: WindowParts,
  session: string,
  { plan, unknown }: RestorePlan,
  choices: Choices,
): Promise<boolean> {
  for (;;) {
    const confirm = {
      label: `$(check) ${vscode.l10n.t('Restore')}`,
      detail: localize(REMOVED_IS_KEPT),
      alwaysShow: true,
      planned: undefined,
    };
    const rule = {
      label: countFiles(plan.length),
      kind: vscode.QuickPickItemKind.Separator,
      planned: undefined,
    };
    const paths = plan.map((planned) => ({
      label: `${stepIcon(planned)} ${shortName(planned.path, workspaceRoots())}`,
      description: describeStep(planned, choices.get(planned.path)),
      planned,
    }));
    const remarks = unknown.map((sentence) => ({
      label: localize(untrackedChangesNotice(sentence)),
      kind: vscode.QuickPickItemKind.Separator,
      planned: undefined,
    }));
    const picked = await vscode.window.showQuickPick([confirm, ...remarks, rule, ...paths], {
      title: vscode.l10n.t('Restore Checkpoint: Preview'),
      placeHolder: vscode.l10n.t('Confirm, or select a file to compare it or decide about it'),
      matchOnDescription: true,
      // A comparison takes the focus; the list must stay open for the user's return.
      ignoreFocusOut: true,
    });
    if (!picked) return false;
    if (!picked.planned) return true;
    const { path, then } = picked.planned;
    if (await decide(picked.planned, choices)) await changes.compareWithNow(session, path, then);
  }
}

/** Resolves with whether the user wants to compare first. */
async function decide({ path, step }: PlannedRestore, choices: Choices): Promise<boolean> {
  const compare = { label: vscode.l10n.t('Compare'), choice: undefined };
  const mine = { label: vscode.l10n.t('Keep My Version'), choice: 'mine' as const };
  const restore = { label: vscode.l10n.t('Restore and Undo My Changes'), choice: 'restore' as const };
  const isOpen = step.kind === 'conflict' || step.kind === 'merge';
  const picked = isOpen
    ? await vscode.window.showQuickPick([mine, restore, compare], { title: basename(path) })
    : compare;
  if (picked?.choice) choices.set(path, picked.choice);
  return picked === compare;
}

function timeOf({ timestamp }: RestorePoint): string {
  return new Date(timestamp).toLocaleString(vscode.env.language, { dateStyle: 'short', timeStyle: 'short' });
}

/** Reports the result and offers to redo what the restore undid. */
export async function reportRestored(parts: WindowParts, restored: Restored): Promise<void> {
  const { session, files, unknown, message, fork } = restored;
  if (files.length === 0 && fork === undefined && unknown.length === 0) return;
  const redo = vscode.l10n.t('Redo');
  const text =
    files.length > 0 || fork === undefined
      ? localize(message)
      : vscode.l10n.t('The conversation continues in a new session.');
  if ((await vscode.window.showInformationMessage(text, redo)) !== redo) return;
  try {
    await parts.sessions.show(fork ?? session);
    await redoRestore(parts);
  } catch (error) {
    void vscode.window.showErrorMessage(errorMessage(error));
  }
}
