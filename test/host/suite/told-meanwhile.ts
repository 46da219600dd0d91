import * as vscode from 'vscode';

/** `told` is what the user is told meanwhile. */
export async function toldMeanwhile(body: (told: readonly string[]) => Promise<void>): Promise<void> {
  const { showInformationMessage } = vscode.window;
  const told: string[] = [];
  Object.assign(vscode.window, {
    showInformationMessage: async (message: string) => void told.push(message),
  });
  try {
    await body(told);
  } finally {
    Object.assign(vscode.window, { showInformationMessage });
  }
}
