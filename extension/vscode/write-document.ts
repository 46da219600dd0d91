import * as vscode from 'vscode';
import { WorkspaceError } from '../core/ports/workspace.ts';
import { textChanges } from './text-changes.ts';

/**
 * Makes `text` the document's text and saves it, so that an editor shows it at once and the user can undo it. `version` is
 * that of the document on which the caller decided. Rejects with `WorkspaceError` where it could not be done; the
 * document's text is then as it was.
 */
export async function writeDocument(
  document: vscode.TextDocument,
  text: string,
  version: number,
): Promise<void> {
  const { uri } = document;
  const before = document.getText();
  if (document.isClosed || document.version !== version) throw changedMeanwhile(uri);
  if (!(await changeText(document, text))) throw notTaken(uri);
  if (await save(uri)) return;
  const changed = await vscode.workspace.openTextDocument(uri);
  const restored = changed.getText() === text && (await changeText(changed, before));
  throw notSaved(uri, restored);
}

/** False where VS Code did not take it, or not all of it. */
async function changeText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, editsFor(document, text));
  if (edit.size > 0 && !(await vscode.workspace.applyEdit(edit))) return false;
  // The document is let go when no editor shows it and nothing is unsaved: this one may be another object.
  const now = await vscode.workspace.openTextDocument(document.uri);
  return now.getText() === text;
}

function editsFor(document: vscode.TextDocument, text: string): vscode.TextEdit[] {
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const changes = textChanges(document.getText(), text.replaceAll(/\r?\n/g, lineEnd));
  const edits = changes.map(({ start, end, text: replacement }) =>
    vscode.TextEdit.replace(
      new vscode.Range(document.positionAt(start), document.positionAt(end)),
      replacement,
    ),
  );
  const wanted = text.includes('\r\n') ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  const other = text.includes('\n') && wanted !== document.eol;
  return other ? [...edits, vscode.TextEdit.setEndOfLine(wanted)] : edits;
}

async function save(uri: vscode.Uri): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(uri);
  return document.save().then(
    (saved) => saved,
    () => false,
  );
}

function changedMeanwhile({ fsPath }: vscode.Uri): WorkspaceError {
  return new WorkspaceError(
    'changed',
    fsPath,
    `file changed meanwhile: ${fsPath}; nothing was written, read it again and repeat the change`,
  );
}

function notTaken({ fsPath }: vscode.Uri): WorkspaceError {
  return new WorkspaceError(
    'failed',
    fsPath,
    `the editor did not take the change: ${fsPath} is read-only there, or was changed at the same moment; nothing was written`,
  );
}

function notSaved({ fsPath }: vscode.Uri, restored: boolean): WorkspaceError {
  const left = restored
    ? 'the change was taken back in the editor'
    : 'the editor still holds the change, unsaved';
  return new WorkspaceError(
    'failed',
    fsPath,
    `could not save: ${fsPath} (VS Code shows the reason to the user); ${left}. Read it again before another try`,
  );
}
