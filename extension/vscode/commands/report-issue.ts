// Writes a report in one file, with which other people can inspect and replay a failure. The user sees its
// content first.
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { FilesNamed, type NamedFiles } from '../../core/export/files-in-log.ts';
import { errorMessage } from '../base/localize.ts';
import { readSetting } from '../base/settings.ts';
import type { WindowParts } from '../panel/panel-parts.ts';
import { runSessions } from '../session-commands/sessions-process.ts';
import { programOf } from '../session-commands/transfer-session.ts';
import { exported, previewOf } from './report-preview.ts';

/** Scripts pass `target`; otherwise Harness asks the user. */
export async function reportIssue(parts: WindowParts, id: string, target: unknown): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'harness-report-'));
  try {
    const file = join(folder, `${id}.harness-session`);
    const title = vscode.l10n.t('Creating the report…');
    const args = ['export', id, file, '--format', 'session'];
    const made = exported.parse(await runSessions(programOf(parts), args, title));
    const files = await filesOf(parts, id);
    const nameOf = (path: string) => vscode.workspace.asRelativePath(path);
    const content = previewOf({ id, bytes: (await stat(file)).size, made, files }, nameOf);
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
    await vscode.window.showTextDocument(document, { preview: true });
    const path = typeof target === 'string' ? target : await askWhere(id);
    if (path === undefined) return;
    await copyFile(file, path);
    void vscode.window.showInformationMessage(vscode.l10n.t('Report saved. Attach {0} to your issue.', path));
    if (!made.hasRecording && !readSetting('recording')) void offerRecording();
  } catch (error) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('Could not create the report: {0}', errorMessage(error)),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Offers to turn on recording if the session has none. */
async function offerRecording(): Promise<void> {
  const turnOn = vscode.l10n.t('Turn On Recording');
  const offer = vscode.l10n.t(
    'This session was not recorded, so the report cannot be replayed. Turn on recording, reproduce the problem in a new session, then report it again.',
  );
  if ((await vscode.window.showInformationMessage(offer, turnOn)) !== turnOn) return;
  const target = vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration('harness').update('recording', true, target);
}

/** Undefined if the user has seen the content and cancels. */
async function askWhere(id: string): Promise<string | undefined> {
  const save = vscode.l10n.t('Save…');
  const question = vscode.l10n.t('Review what the report contains. Nothing has been sent or saved yet.');
  if ((await vscode.window.showInformationMessage(question, save)) !== save) return undefined;
  const defaultUri = vscode.Uri.file(join(homedir(), `${id}.harness-session`));
  return (await vscode.window.showSaveDialog({ defaultUri }))?.fsPath;
}

async function filesOf({ store }: WindowParts, id: string): Promise<NamedFiles> {
  const files = new FilesNamed();
  for await (const events of store.stream(id)) for (const event of events) files.apply(event);
  return files.names;
}
