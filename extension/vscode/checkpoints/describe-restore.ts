import * as vscode from 'vscode';
import { isSameState } from '../../core/checkpoints/file-state.ts';
import { describeKept, linkedReason } from '../../core/checkpoints/restore/restore.ts';
import type { PlannedRestore } from '../../core/checkpoints/restore/types.ts';
import { localize } from '../base/localize.ts';

/** Describes what a restore would do to a path, for the dry run. `choice` is the user's decision about it. */
export function describeStep(planned: PlannedRestore, choice?: 'mine' | 'restore'): string {
  const words = wordsOf(planned, choice);
  const reason = linkedReason(planned);
  return reason === undefined || choice === 'mine' ? words : `${words}; ${localize(reason)}`;
}

function wordsOf({ step, now, then }: PlannedRestore, choice?: 'mine' | 'restore'): string {
  if (choice === 'mine') return vscode.l10n.t('not restored: keeps your version');
  if (choice === 'restore') return vscode.l10n.t('restored, and your changes are undone');
  switch (step.kind) {
    case 'identical':
      return isSameState(now, then)
        ? vscode.l10n.t('identical to checkpoint')
        : vscode.l10n.t('nothing to restore, keeps your edits');
    case 'restore':
      if (then.kind === 'absent') return vscode.l10n.t('deleted');
      return now.kind === 'absent' ? vscode.l10n.t('re-created') : vscode.l10n.t('restored');
    case 'merge':
      return step.why === undefined
        ? vscode.l10n.t('restored, keeps your edits')
        : vscode.l10n.t('restored, keeps your edits, but {0}', localize(step.why));
    case 'conflict':
      return step.why === undefined
        ? vscode.l10n.t('not restored: you have changed it since. Select to decide')
        : vscode.l10n.t('not restored: {0}. Select to decide', localize(step.why));
    case 'unkept':
      return vscode.l10n.t('not restored: {0}', localize(describeKept(step)));
    case 'occupied':
      return vscode.l10n.t('not removed: the folder is not empty');
  }
}

export function stepIcon({ step, then }: PlannedRestore): string {
  if (step.kind === 'restore') return then.kind === 'absent' ? '$(trash)' : '$(discard)';
  const icons = {
    identical: '$(check)',
    merge: '$(git-merge)',
    conflict: '$(warning)',
    unkept: '$(circle-slash)',
    occupied: '$(folder)',
  };
  return icons[step.kind];
}

export function countFiles(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count);
}
