import * as vscode from 'vscode';
import type { SessionStore, SessionSummary } from '../core/ports/event-store.ts';

/** Lets the user choose an earlier session. Undefined where they did not. */
export async function pickSession(store: SessionStore): Promise<SessionSummary | undefined> {
  const items = (await store.list()).map((session) => ({
    label: session.title,
    description: new Date(session.updated).toLocaleString(),
    detail: session.cwd,
    session,
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
  return picked?.session;
}
