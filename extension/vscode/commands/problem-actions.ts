import * as vscode from 'vscode';
import type { ProblemToAdd } from './add-to-chat.ts';

const TITLE = vscode.l10n.t('Add to Harness Chat');

/**
 * Offers to add a problem to the chat, in the lightbulb and in the context menu of the Problems view.
 * Extensions cannot add items to that menu, but VS Code shows the problem's quick fixes there.
 */
export const problemActions: vscode.CodeActionProvider = {
  provideCodeActions({ uri }, _range, { diagnostics }) {
    return diagnostics.map((diagnostic) => {
      const action = new vscode.CodeAction(TITLE, vscode.CodeActionKind.QuickFix);
      const problem: ProblemToAdd = { uri, range: diagnostic.range, message: diagnostic.message };
      action.diagnostics = [diagnostic];
      action.command = { title: TITLE, command: 'harness.addToChat', arguments: [problem] };
      return action;
    });
  },
};
