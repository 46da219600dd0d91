import * as vscode from 'vscode';

/** Harness's vendor id for its models, as package.json declares it. */
export const VENDOR = 'harness';

/** Harness's own models are left out, because it has them without VS Code. */
export async function selectOfOthers(): Promise<readonly vscode.LanguageModelChat[]> {
  return (await vscode.lm.selectChatModels()).filter(({ vendor }) => vendor !== VENDOR);
}
