// Commands for a whole session, either shown in a panel or named in a list.
import * as vscode from 'vscode';
import type { OpenSession } from '../../app/sessions/open-session.ts';
import { SessionBusyError } from '../../core/ports/session-store.ts';
import { errorMessage } from '../base/localize.ts';
import type { WindowParts } from '../panel/panel-parts.ts';
import { awaitedBy, describeAwaited } from '../sessions/run-status.ts';

const LONGEST_TITLE = 200;

/** Asks the user for a new name. */
export async function renameSession({ open }: WindowParts, id: string, title: string): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Session'),
    value: title,
    validateInput: (value) =>
      value.length > LONGEST_TITLE
        ? vscode.l10n.t('Enter at most {0} characters.', LONGEST_TITLE)
        : undefined,
  });
  if (!name?.trim() || name.trim() === title) return;
  const session = await open.hold(id).catch(elsewhere);
  if (!session) return warn(vscode.l10n.t('This session is open in another window. Rename it there.'));
  try {
    await session.core.rename(name.trim());
  } finally {
    await open.release(session);
  }
}

/**
 * Moves a session aside and offers to bring it back. Resolves when it is moved, or when it cannot be deleted.
 * Calls `undone` when it is back.
 */
export async function deleteSession(parts: WindowParts, id: string, undone: () => void): Promise<void> {
  const { open, deleted, panels } = parts;
  const here = open.find(id);
  if (here?.busy)
    return warn(vscode.l10n.t('Harness is working in this session. Stop the run, then delete the session.'));
  try {
    await endBackground(open, id);
    if (here) await panels.leave(id);
    await open.settle();
    await deleted.remove(id);
  } catch (error) {
    if (!(error instanceof SessionBusyError)) throw error;
    return warn(vscode.l10n.t('This session is open in another window. Close it there, then delete it.'));
  }
  await panels.leave(id);
  void offerUndo(parts, id, undone);
}

/** A session that cannot be opened can be deleted all the same. */
async function endBackground(open: WindowParts['open'], id: string): Promise<void> {
  await open.endBackground(id).catch((error: unknown) => {
    if (error instanceof SessionBusyError) throw error;
  });
}

/** Cancels the current run. With several runs, asks which one. */
export async function cancelRun({ open, sessions }: WindowParts): Promise<void> {
  const [only, ...others] = open.running;
  if (others.length === 0) return only?.core.cancel();
  const items = open.running.map((session) => itemOf(session, session.id === sessions.shown.id));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Cancel'),
    placeHolder: vscode.l10n.t('Select a run to stop'),
  });
  picked?.session.core.cancel();
}

/** Shows the session that waits longest for an approval, or else one that works. */
export async function showRun({ approver, open, panels }: WindowParts): Promise<void> {
  const session = approver.pending[0]?.session ?? open.running[0]?.id;
  if (session !== undefined) return panels.reveal(session);
  void vscode.window.showInformationMessage(vscode.l10n.t('Harness is not working now.'));
}

async function offerUndo({ deleted }: WindowParts, id: string, undone: () => void): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(vscode.l10n.t('Session deleted.'), undo)) !== undo) return;
  try {
    await deleted.restore(id);
    undone();
  } catch (error) {
    void vscode.window.showWarningMessage(errorMessage(error));
  }
}

function itemOf(session: OpenSession, isShown: boolean) {
  const { approvals, run } = session.log.head;
  const what = approvals.length > 0 ? describeAwaited(awaitedBy(approvals)) : run.message;
  return {
    label: session.title,
    description: isShown ? vscode.l10n.t('{0} (shown here)', what) : what,
    session,
  };
}

function elsewhere(error: unknown): undefined {
  if (!(error instanceof SessionBusyError)) throw error;
}

function warn(message: string): void {
  void vscode.window.showWarningMessage(message);
}
