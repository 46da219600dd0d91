import * as vscode from 'vscode';
import { mentionOf } from '../mentions/mention.ts';
import type { PanelView } from '../panel/panel.ts';

/** The argument that a problem's quick fix passes to the command. */
export interface ProblemToAdd {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly message: string;
}

/**
 * Puts mentions into the input. VS Code passes `args`. From the explorer: a file and all selected files. From
 * an editor's menu: its file. From a problem's quick fix: the problem. From a key: nothing.
 */
export async function addToChat(panel: PanelView, args: readonly unknown[]): Promise<void> {
  const text = textOf(args[0], args[1]);
  if (text) return panel.insert(text);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Open or select a file in the workspace to add it to the chat.'),
  );
}

function textOf(target: unknown, others: unknown): string {
  if (isProblem(target)) return `${mentionOf(target.uri, lineOf(target.range))}${inOneLine(target.message)} `;
  const selected = Array.isArray(others) ? others.filter((uri) => uri instanceof vscode.Uri) : [];
  if (selected.length > 1) return selected.map((uri) => mentionOf(uri)).join('');
  return mentionOfTarget(target instanceof vscode.Uri ? target : undefined);
}

/** Includes the selection if the file is in the active editor. */
function mentionOfTarget(uri: vscode.Uri | undefined): string {
  const editor = vscode.window.activeTextEditor;
  if (editor && (!uri || uri.toString() === editor.document.uri.toString()))
    return mentionOf(editor.document.uri, editor.selection);
  return uri ? mentionOf(uri) : '';
}

function isProblem(value: unknown): value is ProblemToAdd {
  return (
    typeof value === 'object' && value !== null && 'uri' in value && 'range' in value && 'message' in value
  );
}

/** The first line of a problem. Its range may be empty, or end in a later line. */
function lineOf({ start }: vscode.Range): vscode.Range {
  return new vscode.Range(start.line, 0, start.line, 1);
}

function inOneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
