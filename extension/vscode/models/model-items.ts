import * as vscode from 'vscode';
import type { ModelInfo } from '../../core/ports/model.ts';
import type { ProviderEntry } from '../../core/providers/catalog.ts';
import { errorMessage } from '../base/localize.ts';

/** The models of a provider; `models` may still be loading. */
export interface ModelList {
  readonly entry: Pick<ProviderEntry, 'name' | 'label'>;
  readonly models: Promise<readonly ModelInfo[]>;
}

/** A loaded list, or the error of loading it. */
export interface ArrivedList {
  readonly entry: ModelList['entry'];
  readonly models: readonly ModelInfo[];
  readonly error?: unknown;
}

export interface ModelItem extends vscode.QuickPickItem {
  /** The value for the setting; absent if the item is not a model. */
  readonly reference?: string;
  /** The command of an item that is not a model. */
  readonly command?: string;
}

export interface ShownModels {
  /** `provider/model`, like the next two. */
  readonly current: string;
  readonly recent: readonly string[];
  /** The model of each alias. */
  readonly aliases: Readonly<Record<string, string>>;
  /** In the order of the providers. */
  readonly arrived: readonly ArrivedList[];
}

/** The current and the recent models, then each provider's models, then the aliases. */
export function modelItems({ current, recent, aliases, arrived }: ShownModels): ModelItem[] {
  const listed = new Map(
    arrived.flatMap(({ entry, models }) => models.map((model) => listing(entry.name, model))),
  );
  const known = (reference: string) => ({ ...(listed.get(reference) ?? { label: reference }), reference });
  const names = new Set(arrived.map(({ entry }) => entry.name));
  return [
    ...group(
      vscode.l10n.t('recently used'),
      [current, ...recent.filter((reference) => reference !== current)].map((reference) =>
        reference === current ? marked(known(reference)) : known(reference),
      ),
    ),
    ...arrived.flatMap((list) => group(list.entry.label, itemsOf(list))),
    ...group(
      vscode.l10n.t('short names'),
      Object.entries(aliases)
        .filter(([, reference]) => names.has(reference.slice(0, reference.indexOf('/'))))
        .map(([alias, reference]) => ({ label: alias, description: reference, reference: alias })),
    ),
    ...group('', [SET_KEY]),
  ];
}

const SET_KEY: ModelItem = {
  label: `$(key) ${vscode.l10n.t('Set API Key for Another Provider…')}`,
  command: 'harness.setApiKey',
};

function itemsOf({ entry, models, error }: ArrivedList): ModelItem[] {
  if (error !== undefined)
    return [{ label: `$(warning) ${vscode.l10n.t('Could not load models')}`, detail: errorMessage(error) }];
  if (models.length === 0) return [{ label: vscode.l10n.t('No models available') }];
  return models.map((model) => {
    const [reference, item] = listing(entry.name, model);
    return { ...item, reference };
  });
}

function listing(provider: string, model: ModelInfo): [string, ModelItem] {
  const reference = `${provider}/${model.id}`;
  if (provider === 'demo') return [reference, DEMO];
  const description = [reference, ...factsOf(model)].join(' · ');
  return [reference, { label: model.name, description }];
}

const DEMO: ModelItem = {
  label: 'Demo',
  description: vscode.l10n.t('scripted, not a real AI, no API key needed'),
};

function factsOf({ contextWindow, price, tools }: ModelInfo): string[] {
  return [
    contextWindow ? vscode.l10n.t('{0}k context', Math.round(contextWindow / 1000)) : '',
    price ? vscode.l10n.t('US$ {0} input, {1} output per million tokens', price.input, price.output) : '',
    tools === false ? vscode.l10n.t('cannot use tools') : '',
  ].filter((fact) => fact !== '');
}

function marked(item: ModelItem): ModelItem {
  return { ...item, label: `$(check) ${item.label}` };
}

function group(label: string, items: readonly ModelItem[]): ModelItem[] {
  return items.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
}
