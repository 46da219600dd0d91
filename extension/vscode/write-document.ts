import * as vscode from 'vscode';
import { WorkspaceError } from '../core/ports/workspace.ts';
import { textChanges } from './text-changes.ts';

/**
 * Makes `text` the document's text and saves it, so that an editor shows it at once and the user can undo it. `version` is
 * that of the document on which the caller decided. VS Code may format what it saves. Rejects with `WorkspaceError` where it
 * could not be done; the document's text is then as it was.
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
  // The document is let go when no editor shows it and nothing is unsaved: this may be another object.
  const changed = await vscode.workspace.openTextDocument(uri);
  const isReadOnly = !changed.isDirty;
  const restored = changed.getText() === text && (await changeText(changed, before));
  throw isReadOnly ? readOnly(uri) : notSaved(uri, restored);
}

/** False where VS Code did not take it: it was changed at the same moment. */
async function changeText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const lineEnd = text.includes('\r\n') ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  if (text.includes('\n') && lineEnd !== document.eol) {
    // An edit of its own: VS Code 1.139 undoes the two in one step to a third text.
    if (!(await applyEdits(document.uri, [vscode.TextEdit.setEndOfLine(lineEnd)]))) return false;
  }
  return applyEdits(document.uri, editsFor(document, text));
}

async function applyEdits(uri: vscode.Uri, edits: vscode.TextEdit[]): Promise<boolean> {
  if (edits.length === 0) return true;
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, edits);
  return vscode.workspace.applyEdit(edit);
}

function editsFor(document: vscode.TextDocument, text: string): vscode.TextEdit[] {
  return textChanges(document.getText(), text).map(({ start, end, text: replacement }) => {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    return vscode.TextEdit.replace(range, replacement);
  });
}

/** False where it was not saved. */
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
    `the editor did not take the change, since ${fsPath} was changed at the same moment; nothing was written, read it again`,
  );
}

/** VS Code shows edits of such a file and never saves them. */
function readOnly({ fsPath }: vscode.Uri): WorkspaceError {
  return new WorkspaceError(
    'permission-denied',
    fsPath,
    `permission denied: ${fsPath} is read-only in VS Code (files.readonlyInclude); nothing was written`,
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
