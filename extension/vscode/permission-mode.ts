import * as vscode from 'vscode';
import type { PanelState } from '../protocol/messages.ts';
import { writeUserSetting } from './settings.ts';

/** What the user wants to be asked from now on. */
export async function selectMode(mode: PanelState['mode']): Promise<void> {
  if (mode === 'bypass' && !(await confirmBypass())) return;
  await writeUserSetting('permissions.mode', mode);
}

async function confirmBypass(): Promise<boolean> {
  const proceed = vscode.l10n.t('Never Ask');
  const question = vscode.l10n.t('Let Harness change files and run commands without asking?');
  const detail = vscode.l10n.t(
    'Every step is still written down. Use this only where nothing valuable can be reached.',
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, proceed)) === proceed;
}
