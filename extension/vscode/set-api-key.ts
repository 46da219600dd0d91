import * as vscode from 'vscode';
import type { ApiKeys } from './secrets.ts';

interface Provider {
  /** The prefix in `provider/model`. */
  readonly id: string;
  readonly name: string;
  /** What a key of this provider begins with. */
  readonly prefix: string;
  readonly console: string;
}

const ANTHROPIC: Provider = {
  id: 'anthropic',
  name: 'Anthropic',
  prefix: 'sk-ant-',
  console: 'console.anthropic.com',
};

/** Asks for the key and stores it. False where the user did not give one. */
export async function setApiKey(keys: ApiKeys, provider = ANTHROPIC): Promise<boolean> {
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('{0} API Key', provider.name),
    prompt: vscode.l10n.t(
      'From {0}. It is kept in VS Code’s secret storage, never in a setting or a file.',
      provider.console,
    ),
    placeHolder: `${provider.prefix}…`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => keyProblem(value, provider),
  });
  if (key === undefined) return false;
  await keys.set(provider.id, key);
  return true;
}

/** Removes the stored key, once the user has confirmed it. */
export async function clearApiKey(keys: ApiKeys, provider = ANTHROPIC): Promise<void> {
  const key = await keys.get(provider.id);
  if (key?.source !== 'stored') {
    await vscode.window.showInformationMessage(nothingToClear(key !== undefined, provider));
    return;
  }
  const remove = vscode.l10n.t('Remove');
  const question = vscode.l10n.t('Remove the stored {0} API key?', provider.name);
  if ((await vscode.window.showWarningMessage(question, { modal: true }, remove)) !== remove) return;
  await keys.clear(provider.id);
}

/** What is wrong with a key; a warning where it could still be right (a gateway may have keys of its own). */
export function keyProblem(
  value: string,
  provider = ANTHROPIC,
): string | vscode.InputBoxValidationMessage | undefined {
  const key = value.trim();
  if (key === '') return vscode.l10n.t('Paste the key.');
  // It is sent in a header, which carries nothing else.
  if (!/^[\x21-\x7e]+$/.test(key))
    return vscode.l10n.t('A key has no spaces, line breaks or special characters.');
  if (key.startsWith(provider.prefix)) return undefined;
  const message = vscode.l10n.t(
    'Keys of {0} begin with {1}. Press Enter if yours is another kind.',
    provider.name,
    provider.prefix,
  );
  return { message, severity: vscode.InputBoxValidationSeverity.Warning };
}

function nothingToClear(inEnvironment: boolean, { name }: Provider): string {
  return inEnvironment
    ? vscode.l10n.t(
        'No {0} API key is stored. The one in use comes from the environment, where only you can remove it.',
        name,
      )
    : vscode.l10n.t('No {0} API key is stored.', name);
}
