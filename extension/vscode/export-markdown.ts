import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { SecretFilter } from '../core/secrets/secret-filter.ts';
import { conversationMarkdown } from '../core/view/conversation-markdown.ts';
import type { LogWindow } from '../core/view/log-window.ts';
import { workspaceRoots } from './vscode-workspace.ts';

/** Saves a conversation where the user says. */
export async function exportMarkdown(log: LogWindow, secrets: SecretFilter): Promise<void> {
  if (!log.events.some(({ type }) => type === 'user')) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no conversation to export yet.'));
    return;
  }
  const folder = workspaceRoots()[0]?.path ?? homedir();
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Conversation as Markdown'),
    defaultUri: vscode.Uri.file(join(folder, 'conversation.md')),
    filters: { Markdown: ['md'] },
  });
  if (!target) return;
  // What an older version has written may have some.
  const events = (await log.whole(log.events)).map((event) => secrets.draft(event));
  await vscode.workspace.fs.writeFile(target, Buffer.from(conversationMarkdown(events)));
  await vscode.window.showTextDocument(target, { preview: true });
}
