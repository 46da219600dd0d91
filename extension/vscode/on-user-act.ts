import * as vscode from 'vscode';

/**
 * Calls `listener` when the user is seen to do something in this window: comes back to it, goes to another editor or
 * terminal, clicks into a text. VS Code tells the extension host of these anyway, and of nothing while nobody is there.
 * It tells of no click into a webview; keys are too many, and documents do not only change by people.
 */
export function onUserAct(listener: () => void): vscode.Disposable {
  const { window, TextEditorSelectionChangeKind } = vscode;
  return vscode.Disposable.from(
    // VS Code also tells when nobody has done anything for a while.
    window.onDidChangeWindowState(({ focused, active }) => focused && active && listener()),
    window.onDidChangeActiveTextEditor(listener),
    window.onDidChangeActiveTerminal(listener),
    window.onDidChangeTextEditorSelection(
      ({ kind }) => kind === TextEditorSelectionChangeKind.Mouse && listener(),
    ),
  );
}
