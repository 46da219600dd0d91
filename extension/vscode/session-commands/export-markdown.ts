import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { MarkdownDocument } from '../../core/export/conversation-markdown.ts';
import type { SecretFilter } from '../../core/secrets/secret-filter.ts';
import type { LogWindow } from '../../core/view/log-window.ts';
import { replaceFile } from '../../node/fs/replace-file.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { workspaceRoots } from '../workspace/vscode-workspace.ts';

/** Saves a conversation to a file that the user chooses. */
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
  await replaceFile(target.fsPath, markdownOf(log, secrets));
  await vscode.window.showTextDocument(target, { preview: true });
}

/** Buffers only one section of the log at a time. */
async function* markdownOf(log: LogWindow, secrets: SecretFilter): AsyncGenerator<Uint8Array> {
  // Logs of older versions may contain secrets.
  const clean = async (events: readonly SessionEvent[]) =>
    (await log.whole(events)).map((event) => secrets.leaving(event));
  const document = new MarkdownDocument();
  const names = log.events.filter(({ type }) => type === 'title');
  yield Buffer.from(document.begin(await clean([...log.section(0), ...names])));
  for (let index = 0; log.section(index).length > 0; index += 1)
    yield Buffer.from(document.section(await clean(log.section(index))));
}
