import * as vscode from 'vscode';
import { VENDOR } from '../models/vendor.ts';
import type { OfferedModels } from './offered-models.ts';

/** The settings that contain server addresses. */
const ADDRESSES = ['anthropic', 'codex', 'openai', 'openaiCompatible', 'ollama', 'lmstudio'].map(
  (name) => `harness.${name}`,
);

/**
 * Offers Harness's models to VS Code's chat and to other extensions. Loads host.ts when VS Code first
 * requests the models, but never in an untrusted workspace.
 */
export function registerLanguageModels(secrets: vscode.SecretStorage): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let loading: Promise<OfferedModels> | undefined;
  const load = () => {
    loading ??= import('../host.ts').then(({ createOfferedModels }) => createOfferedModels(secrets));
    return loading;
  };
  // VS Code needs no change event before its first request.
  const notify = () => loading && changed.fire();
  const registration = vscode.lm.registerLanguageModelChatProvider(VENDOR, {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: async (_options, token) =>
      vscode.workspace.isTrusted ? (await load()).list(token) : [],
    provideLanguageModelChatResponse: async (model, messages, options, progress, token) => {
      if (!vscode.workspace.isTrusted) throw vscode.LanguageModelError.NoPermissions(UNTRUSTED);
      await (await load()).answer(model, messages, options, progress, token);
    },
    provideTokenCount: async (model, text, token) => (await load()).countTokens(model, text, token),
  });
  return vscode.Disposable.from(
    registration,
    changed,
    secrets.onDidChange(notify),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (ADDRESSES.some((section) => change.affectsConfiguration(section))) notify();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    { dispose: () => void loading?.then((models) => models.dispose()) },
  );
}

const UNTRUSTED = vscode.l10n.t('Harness models are not available, because this folder is not trusted.');
