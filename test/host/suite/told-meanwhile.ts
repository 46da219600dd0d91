import * as vscode from 'vscode';

/** `told` is what the user is told meanwhile. Of what is offered with it, the user takes what `answer` names. */
export async function toldMeanwhile(
  body: (told: readonly string[]) => Promise<void>,
  answer?: string,
): Promise<void> {
  const { showInformationMessage } = vscode.window;
  const told: string[] = [];
  Object.assign(vscode.window, {
    showInformationMessage: async (message: string, ...offered: readonly unknown[]) => {
      told.push(message);
      return offered.find((item) => item === answer);
    },
  });
  try {
    await body(told);
  } finally {
    Object.assign(vscode.window, { showInformationMessage });
  }
}
