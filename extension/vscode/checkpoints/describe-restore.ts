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
  if (choice === 'mine') return vscode.l10n.t('stays as it is: your version');
  if (choice === 'restore') return vscode.l10n.t('restored, your changes are undone too');
  switch (step.kind) {
    case 'identical':
      return isSameState(now, then)
        ? vscode.l10n.t('is as it was')
        : vscode.l10n.t('is as it was, with your edits in it');
    case 'restore':
      if (then.kind === 'absent') return vscode.l10n.t('deleted');
      return now.kind === 'absent' ? vscode.l10n.t('created again') : vscode.l10n.t('restored');
    case 'merge':
      return step.why === undefined
        ? vscode.l10n.t('restored, with your edits in it')
        : vscode.l10n.t('restored, with your edits in it, but {0}', localize(step.why));
    case 'conflict':
      return step.why === undefined
        ? vscode.l10n.t('stays as it is: you have changed it since. Choose to decide')
        : vscode.l10n.t('stays as it is: {0}. Choose to decide', localize(step.why));
    case 'unkept':
      return vscode.l10n.t('stays as it is: {0}', localize(describeKept(step)));
    case 'occupied':
      return vscode.l10n.t('stays: something in it stays');
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
