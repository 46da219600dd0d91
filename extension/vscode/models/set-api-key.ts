import * as vscode from 'vscode';
import type { ProviderEntry, ProviderKey } from '../../core/providers/catalog.ts';
import type { ApiKey, ApiKeys } from './api-keys.ts';

/** A provider that uses a key. */
export type KeyedProvider = ProviderEntry & { readonly key: ProviderKey };

export function isKeyed(entry: ProviderEntry): entry is KeyedProvider {
  return entry.key !== undefined;
}

/** Asks for the key and stores it. Resolves with false if the user cancels. */
export async function setApiKey(keys: ApiKeys, provider: KeyedProvider): Promise<boolean> {
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('{0} API Key', provider.label),
    prompt: vscode.l10n.t(
      'Get a key from {0}. Harness stores it in VS Code’s secret storage, never in a setting or file.',
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

interface ProviderItem extends vscode.QuickPickItem {
  readonly provider: KeyedProvider;
}

/** Asks the user for the provider of a key. The provider of the current model comes first. */
export async function pickProvider(
  keys: ApiKeys,
  providers: readonly KeyedProvider[],
  title: string,
): Promise<KeyedProvider | undefined> {
  const items = providers.map(async (provider): Promise<ProviderItem> => {
    const key = await keys.get(provider);
    return { label: provider.label, ...(key && { description: sourceOf(key, provider) }), provider };
  });
  const picked = await vscode.window.showQuickPick<ProviderItem>(Promise.all(items), {
    title,
    placeHolder: vscode.l10n.t('Select a provider'),
    matchOnDescription: true,
  });
  return picked?.provider;
}

function sourceOf({ source }: ApiKey, { key }: KeyedProvider): string {
  return source === 'stored'
    ? vscode.l10n.t('$(check) set')
    : vscode.l10n.t('$(check) from {0}', key.variable);
}

/** Asks for the provider if several have a stored key. The provider of the current model comes first. */
export async function clearOneApiKey(keys: ApiKeys, providers: readonly KeyedProvider[]): Promise<void> {
  const sources = await Promise.all(providers.map(async (provider) => (await keys.get(provider))?.source));
  const stored = providers.filter((_, index) => sources[index] === 'stored');
  const provider =
    stored.length > 1
      ? await pickProvider(keys, stored, vscode.l10n.t('Clear API Key'))
      : (stored[0] ?? providers[0]);
  if (provider) await clearApiKey(keys, provider);
}

/** Removes the stored key after the user has confirmed. */
async function clearApiKey(keys: ApiKeys, provider: KeyedProvider): Promise<void> {
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

/**
 * The problem with a key. Only a warning if the key could still be valid, because a gateway may use its own
 * keys.
 */
export function keyProblem(
  value: string,
  provider: KeyedProvider,
): string | vscode.InputBoxValidationMessage | undefined {
  const key = value.trim();
  if (key === '') return vscode.l10n.t('Paste your API key.');
  // A header carries the key and allows no other characters.
  if (!/^[\x21-\x7e]+$/.test(key))
    return vscode.l10n.t('An API key cannot contain spaces, line breaks or special characters.');
  if (key.startsWith(provider.key.prefix)) return undefined;
  const message = vscode.l10n.t(
    'API keys for {0} start with {1}. Press Enter to use this key anyway.',
    provider.label,
    provider.key.prefix,
  );
  return { message, severity: vscode.InputBoxValidationSeverity.Warning };
}

function nothingToClear(inEnvironment: boolean, { label: name }: KeyedProvider): string {
  return inEnvironment
    ? vscode.l10n.t(
        'No {0} API key is stored. The current key comes from an environment variable, which Harness cannot remove.',
        name,
      )
    : vscode.l10n.t('No {0} API key is stored.', name);
}
