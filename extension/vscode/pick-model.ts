import * as vscode from 'vscode';
import type { ModelInfo, ModelProvider } from '../core/ports/model.ts';
import { reasonOf } from './heard.ts';

interface ModelItem extends vscode.QuickPickItem {
  /** `provider/model`; absent for an item that is no model. */
  readonly reference?: string;
}

const DEMO: ModelItem = {
  label: 'Demo',
  description: vscode.l10n.t('scripted, no AI, no key'),
  reference: 'demo/demo',
};

/** Lets the user choose among the models that the provider lists now. `provider` rejects where there is no key. */
export async function pickModel(
  provider: () => Promise<ModelProvider>,
  current: string,
): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick<ModelItem>(itemsOf(provider), {
    title: vscode.l10n.t('Select Model'),
    placeHolder: vscode.l10n.t('Now: {0}', current),
    matchOnDescription: true,
  });
  return picked?.reference;
}

async function itemsOf(provider: () => Promise<ModelProvider>): Promise<ModelItem[]> {
  try {
    const source = await provider();
    const models = await source.listModels(AbortSignal.timeout(20_000));
    return [...models.map((model) => itemOf(source.name, model)), DEMO];
  } catch (error) {
    return [
      DEMO,
      {
        label: vscode.l10n.t('No list of models'),
        detail: reasonOf(error),
      },
    ];
  }
}

function itemOf(provider: string, model: ModelInfo): ModelItem {
  const window = model.contextWindow
    ? ` · ${vscode.l10n.t('{0}k context', Math.round(model.contextWindow / 1000))}`
    : '';
  const reference = `${provider}/${model.id}`;
  return { label: model.name, description: `${reference}${window}`, reference };
}
