import * as vscode from 'vscode';
import type { SessionEvent } from '../../protocol/events.ts';
import {
  clearOneApiKey,
  isKeyed,
  type KeyedProvider,
  pickProvider,
  setApiKey,
} from '../models/set-api-key.ts';
import type { WindowParts } from './panel-parts.ts';

type Parts = Pick<WindowParts, 'keys' | 'models'>;

/** Asks for an API key. Without `whose`, asks for its provider first. */
export async function setKey({ keys, models }: Parts, whose?: KeyedProvider): Promise<void> {
  const provider = whose ?? (await pickProvider(keys, keyedProviders(models), vscode.l10n.t('Set API Key')));
  if (provider && (await setApiKey(keys, provider))) await offerModel({ models }, provider);
}

export function clearKey({ keys, models }: Parts): Promise<void> {
  return clearOneApiKey(keys, keyedProviders(models));
}

/** The provider whose key the newest error refers to, or else the provider of the model in use. */
export function providerOfError({ models }: Parts, events: readonly SessionEvent[]): KeyedProvider {
  const error = events.findLast((event) => event.type === 'error');
  const request = events.findLast((event) => event.type === 'request_started');
  const refused = error?.code === 'auth' && request ? models.router.find(request.provider) : undefined;
  return refused && isKeyed(refused) ? refused : models.keyedProvider();
}

/** The provider in use comes first. */
function keyedProviders(models: Parts['models']): KeyedProvider[] {
  const first = models.keyedProvider();
  return [first, ...models.router.providers.filter(isKeyed).filter(({ name }) => name !== first.name)];
}

/** Offers a model of the provider whose key was just set, if the model in use is the demo or has no key. */
async function offerModel({ models }: Pick<Parts, 'models'>, provider: KeyedProvider): Promise<void> {
  const { model, modelName, demo, ready } = await models.describe();
  if (model.startsWith(`${provider.name}/`) || (ready && !demo)) return;
  const offered = Object.values(models.router.aliases).find((other) => other.startsWith(`${provider.name}/`));
  const use = offered
    ? vscode.l10n.t('Use {0}', offered.slice(provider.name.length + 1))
    : vscode.l10n.t('Select Model');
  const message = vscode.l10n.t(
    'The API key for {0} is set. The current model is still {1}.',
    provider.label,
    modelName,
  );
  if ((await vscode.window.showInformationMessage(message, use)) !== use) return;
  await (offered ? models.use(offered) : models.select());
}
