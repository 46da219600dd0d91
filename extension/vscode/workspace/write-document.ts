import { diffArrays } from 'diff';
import * as vscode from 'vscode';
import { commonPrefix, commonSuffix, splitLines } from '../../core/base/text/lines.ts';
import { WorkspaceError } from '../../core/ports/workspace.ts';

/**
 * Sets the document's text and saves it, so that an editor shows it immediately and the user can undo it.
 * `version` is the document version that the caller's decision is based on. VS Code may format what it saves.
 * Rejects with `WorkspaceError` after a failure, with the document's text unchanged.
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
  // VS Code closes a document that no editor shows and that has no unsaved changes, so this may be another
  // object.
  const changed = await vscode.workspace.openTextDocument(uri);
  const isReadOnly = !changed.isDirty;
  const restored = changed.getText() === text && (await changeText(changed, before));
  throw isReadOnly ? readOnly(uri) : notSaved(uri, restored);
}

/** Resolves with false if VS Code rejected the edit because the document changed at the same moment. */
async function changeText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const lineEnd = text.includes('\r\n') ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  if (text.includes('\n') && lineEnd !== document.eol) {
    // A separate edit, because VS Code 1.139 would undo the two in one step to a third text.
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

/** Resolves with false if VS Code did not save. */
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

/** VS Code shows edits of a read-only file but never saves them. */
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

/** Replaces the text from `start` to before `end` (UTF-16 units) with `text`. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** For longer texts, the smallest changes take too long to find, so one change covers all. */
const MAX_COMPARED = 4000;
const MAX_EDITS = 300;

/** The line changes that turn `before` into `after`, in order. Cursors and folds elsewhere stay in place. */
export function textChanges(before: string, after: string): TextChange[] {
  const old = splitLines(before);
  const now = splitLines(after);
  const prefix = commonPrefix(old, now);
  const suffix = commonSuffix(old.slice(prefix), now.slice(prefix));
  const start = lengthOf(old.slice(0, prefix));
  return changesBetween(
    old.slice(prefix, old.length - suffix),
    now.slice(prefix, now.length - suffix),
    start,
  );
}

function changesBetween(old: string[], now: string[], start: number): TextChange[] {
  if (old.length === 0 && now.length === 0) return [];
  const small = old.length + now.length <= MAX_COMPARED;
  const parts = small ? diffArrays(old, now, { maxEditLength: MAX_EDITS }) : undefined;
  if (!parts) return [{ start, end: start + lengthOf(old), text: now.join('') }];
  const changes: TextChange[] = [];
  let at = start;
  for (const { added, removed, value } of parts) {
    const length = added ? 0 : lengthOf(value);
    if (added || removed) changes.push({ start: at, end: at + length, text: added ? value.join('') : '' });
    at += length;
  }
  return joinTouching(changes);
}

/** Merges a removal with the addition in its place. */
function joinTouching(changes: readonly TextChange[]): TextChange[] {
  const joined: TextChange[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    if (last?.end === change.start) {
      joined[joined.length - 1] = { start: last.start, end: change.end, text: last.text + change.text };
    } else joined.push(change);
  }
  return joined;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((length, line) => length + line.length, 0);
}
