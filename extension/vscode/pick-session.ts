import * as vscode from 'vscode';
import type { SessionStore } from '../core/ports/event-store.ts';

/** Lets the user choose an earlier session. Undefined where they did not. */
export async function pickSession(store: SessionStore): Promise<string | undefined> {
  const items = (await store.list()).map(({ id, title, cwd, updated }) => ({
    label: title,
    description: new Date(updated).toLocaleString(),
    detail: cwd,
    id,
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage('There are no earlier sessions.');
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Session History',
    placeHolder: 'Open an earlier session',
    matchOnDetail: true,
  });
  return picked?.id;
}
