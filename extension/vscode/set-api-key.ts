import * as vscode from 'vscode';
import type { ProviderEntry, ProviderKey } from '../core/providers/catalog.ts';
import type { ApiKeys } from './secrets.ts';

/** A provider that has keys. */
export type KeyedProvider = ProviderEntry & { readonly key: ProviderKey };

/** Asks for the key and stores it. False where the user did not give one. */
export async function setApiKey(keys: ApiKeys, provider: KeyedProvider): Promise<boolean> {
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('{0} API Key', provider.label),
    prompt: vscode.l10n.t(
      'From {0}. It is kept in VS Code’s secret storage, never in a setting or a file.',
      provider.key.console,
    ),
    placeHolder: `${provider.key.prefix}…`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => keyProblem(value, provider),
  });
  if (key === undefined) return false;
  await keys.set(provider.name, key);
  return true;
}

/** Removes the stored key, once the user has confirmed it. */
export async function clearApiKey(keys: ApiKeys, provider: KeyedProvider): Promise<void> {
  const key = await keys.get(provider);
  if (key?.source !== 'stored') {
    await vscode.window.showInformationMessage(nothingToClear(key !== undefined, provider));
    return;
  }
  const remove = vscode.l10n.t('Remove');
  const question = vscode.l10n.t('Remove the stored {0} API key?', provider.label);
  if ((await vscode.window.showWarningMessage(question, { modal: true }, remove)) !== remove) return;
  await keys.clear(provider.name);
}

/** What is wrong with a key; a warning where it could still be right (a gateway may have keys of its own). */
export function keyProblem(
  value: string,
  provider: KeyedProvider,
): string | vscode.InputBoxValidationMessage | undefined {
  const key = value.trim();
  if (key === '') return vscode.l10n.t('Paste the key.');
  // It is sent in a header, which carries nothing else.
  if (!/^[\x21-\x7e]+$/.test(key))
    return vscode.l10n.t('A key has no spaces, line breaks or special characters.');
  if (key.startsWith(provider.key.prefix)) return undefined;
  const message = vscode.l10n.t(
    'Keys of {0} begin with {1}. Press Enter if yours is another kind.',
    provider.label,
    provider.key.prefix,
  );
  return { message, severity: vscode.InputBoxValidationSeverity.Warning };
}

function nothingToClear(inEnvironment: boolean, { label: name }: KeyedProvider): string {
  return inEnvironment
    ? vscode.l10n.t(
        'No {0} API key is stored. The one in use comes from the environment, where only you can remove it.',
        name,
      )
    : vscode.l10n.t('No {0} API key is stored.', name);
}
