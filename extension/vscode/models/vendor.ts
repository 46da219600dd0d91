import * as vscode from 'vscode';

/** Harness among those who bring models to VS Code, as package.json declares it. */
export const VENDOR = 'harness';

/** What Harness itself brings to VS Code it has at hand already. */
export async function selectOfOthers(): Promise<readonly vscode.LanguageModelChat[]> {
  return (await vscode.lm.selectChatModels()).filter(({ vendor }) => vendor !== VENDOR);
}
