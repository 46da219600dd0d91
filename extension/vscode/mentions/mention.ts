import * as vscode from 'vscode';
import { writeMention } from '../../protocol/mention-text.ts';

/** How a prompt names a place: `@src/a.ts:3-9 `, the path as the workspace knows it. Empty for what is no file. */
export function mentionOf(uri: vscode.Uri, selection?: vscode.Range): string {
  if (uri.scheme !== 'file') return '';
  const path = vscode.workspace.asRelativePath(uri);
  if (!selection || selection.isEmpty) return `${writeMention(path)} `;
  // A selection up to the start of a line does not mean that line.
  const last = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
  const first = selection.start.line + 1;
  const lines = first === last ? first : `${first}-${last}`;
  return `${writeMention(`${path}:${lines}`)} `;
}

/** A mention of what is selected in the active editor; empty where nothing is. */
export function mentionOfSelection(): string {
  const editor = vscode.window.activeTextEditor;
  return editor && !editor.selection.isEmpty ? mentionOf(editor.document.uri, editor.selection) : '';
}
