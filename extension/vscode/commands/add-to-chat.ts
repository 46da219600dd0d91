import * as vscode from 'vscode';
import { mentionOf } from '../mentions/mention.ts';
import type { PanelView } from '../panel/panel.ts';

/** What a problem's quick fix hands to the command. */
export interface ProblemToAdd {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly message: string;
}

/**
 * Puts mentions into the input. `args` are what VS Code gives the command: the explorer a file and all that are selected
 * with it, an editor's menu its file, a problem's quick fix the problem, and a key nothing.
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

/** With what is selected in it, where it is the file in front. */
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

/** A problem's range may be empty, or end somewhere below. */
function lineOf({ start }: vscode.Range): vscode.Range {
  return new vscode.Range(start.line, 0, start.line, 1);
}

function inOneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
