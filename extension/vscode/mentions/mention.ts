import * as vscode from 'vscode';
import { writeMention } from '../../protocol/mention-text.ts';

/**
 * The mention of a place in a prompt: `@src/a.ts:3-9 `, with the workspace's path. Empty if the URI is not a
 * file.
 */
export function mentionOf(uri: vscode.Uri, selection?: vscode.Range): string {
  if (uri.scheme !== 'file') return '';
  const path = vscode.workspace.asRelativePath(uri);
  if (!selection || selection.isEmpty) return `${writeMention(path)} `;
  // A selection that ends at the start of a line does not include that line.
  const last = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
  const first = selection.start.line + 1;
  const lines = first === last ? first : `${first}-${last}`;
  return `${writeMention(`${path}:${lines}`)} `;
}

/** A mention of the selection in the active editor; empty if there is none. */
export function mentionOfSelection(): string {
  const editor = vscode.window.activeTextEditor;
  return editor && !editor.selection.isEmpty ? mentionOf(editor.document.uri, editor.selection) : '';
}
