// Commands on the files of a past point in time.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { say } from '../../protocol/say.ts';
import type { PanelView } from '../panel/panel.ts';
import { emptyUri, type PastFile, type PastFiles, pastFileOf, pastUri } from '../panel/past-documents.ts';
import type { TimePoint } from './timeline-commands.ts';

type Item = vscode.QuickPickItem & { readonly path?: string };

/**
 * Lists the files that the session had changed at that point and those that it changed later. Compares the
 * chosen ones with their current content. Rejects if the session or the event does not exist.
 */
export async function showFilesThen(pastFiles: PastFiles, { session, seq }: TimePoint): Promise<void> {
  const files = await pastFiles.filesOf(session);
  if (seq < 1 || seq > files.end) throw new Error(say('This session has no event {0}.', seq));
  const isChanged = (path: string) => files.isChangedAt(path, seq);
  if (files.paths.length === 0)
    return void vscode.window.showInformationMessage(
      vscode.l10n.t('This session has not changed any files.'),
    );
  const then = files.paths.filter(isChanged);
  const others = files.paths.filter((path) => !isChanged(path));
  const picked = await vscode.window.showQuickPick<Item>(
    [
      { label: vscode.l10n.t('Compare All with Now'), iconPath: new vscode.ThemeIcon('diff-multiple') },
      ...group(vscode.l10n.t('Changed up to this point'), then),
      ...group(vscode.l10n.t('Changed later'), others),
    ],
    { title: vscode.l10n.t('Files at Event {0}', seq), matchOnDescription: true },
  );
  if (!picked) return;
  if (picked.path) await compareWithNow({ path: picked.path, session, seq });
  else await compareAll(files.paths.map((path) => ({ path, session, seq })));
}

function group(label: string, paths: readonly string[]): readonly Item[] {
  if (paths.length === 0) return [];
  const items = paths.map((path) => ({
    label: basename(path),
    description: vscode.workspace.asRelativePath(path),
    path,
    iconPath: vscode.ThemeIcon.File,
    resourceUri: vscode.Uri.file(path),
  }));
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** The file of a past document; or the given or active file, at the past point that the panel shows. */
export function fileToCompare(panel: PanelView, argument: unknown): PastFile | undefined {
  const given = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const { past } = panel.travel;
  if (given?.scheme !== 'file' || !past) return pastFileOf(given);
  return { path: given.fsPath, session: panel.sessions.shown.id, seq: past.seq };
}

/** Opens a diff. */
export async function compareWithNow(file: PastFile | undefined): Promise<void> {
  if (!file)
    return void vscode.window.showInformationMessage(
      vscode.l10n.t('Go to an earlier point first: run “Harness: Show Timeline”. Then open the file.'),
    );
  const title = vscode.l10n.t('{0} (event {1} ↔ now)', basename(file.path), file.seq);
  await vscode.commands.executeCommand('vscode.diff', pastUri(file, true), await nowOf(file), title);
}

async function compareAll(files: readonly PastFile[]): Promise<void> {
  const title = vscode.l10n.t('Files at Event {0} ↔ Now', files[0]?.seq ?? 0);
  const rows = files.map(async (file) => [
    vscode.Uri.file(file.path),
    pastUri(file, true),
    await nowOf(file),
  ]);
  await vscode.commands.executeCommand('vscode.changes', title, await Promise.all(rows));
}

/** A missing file is an empty text. */
async function nowOf({ path }: PastFile): Promise<vscode.Uri> {
  const uri = vscode.Uri.file(path);
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  return isThere ? uri : emptyUri(path);
}
