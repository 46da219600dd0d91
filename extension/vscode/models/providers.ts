import type { Clock } from '../../core/ports/clock.ts';
import type { ModelProvider } from '../../core/ports/model.ts';
import { needsKey, type ProviderEntry } from '../../core/providers/catalog.ts';
import { createProvider, environmentUrl } from '../../core/providers/create-provider.ts';
import { Router } from '../../core/providers/router.ts';
import { fetchWithProbes } from '../../node/fetch.ts';
import { type AddressSetting, readSetting, type SettingName, settingNames } from '../base/settings.ts';
import type { ApiKeys } from './api-keys.ts';
import { selectOfOthers } from './vendor.ts';

/** Creates the providers from the user's settings and keys. */
export class Providers {
  readonly #keys: ApiKeys;
  readonly #clock: Clock;
  /** A provider caches what its API refused, so Harness reuses it until its key or its address changes. */
  readonly #made = new Map<string, { readonly setUp: string; readonly provider: Promise<ModelProvider> }>();

  constructor(keys: ApiKeys, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** A router with the current settings. */
  router(): Router {
    return new Router({
      endpoints: readSetting('openaiCompatible.endpoints'),
      aliases: readSetting('models.aliases'),
    });
  }

  /** The client of a provider. Rejects with `SetupError`. */
  async get(entry: ProviderEntry): Promise<ModelProvider> {
    const access = await this.access(entry);
    const setUp = JSON.stringify([entry, access]);
    const made = this.#made.get(entry.name);
    if (made?.setUp === setUp) return made.provider;
    const provider = this.#create(entry, access);
    this.#made.set(entry.name, { setUp, provider });
    return provider;
  }

  access(entry: ProviderEntry): Promise<ProviderAccess> {
    return providerAccess(entry, this.#keys);
  }

  /** Whether the provider has its key, or needs none. */
  async isReady(entry: ProviderEntry): Promise<boolean> {
    const { apiKey, baseUrl } = await this.access(entry);
    return apiKey !== '' || !needsKey(entry, baseUrl);
  }

  async #create(entry: ProviderEntry, access: ProviderAccess): Promise<ModelProvider> {
    if (entry.protocol === 'vscode') {
      const { createVscodeProvider } = await import('../language-models/vscode-provider.ts');
      return createVscodeProvider(selectOfOthers);
    }
    return createProvider(entry, { ...access, clock: this.#clock, fetch: fetchWithProbes });
  }
}

/** The key and the address of a provider; each is empty if there is none. */
export interface ProviderAccess {
  readonly apiKey: string;
  readonly baseUrl: string;
}

/** Stored keys and settings take precedence over the environment. */
export async function providerAccess(entry: ProviderEntry, keys: ApiKeys): Promise<ProviderAccess> {
  const apiKey = (await keys.get(entry))?.value ?? '';
  const setting = settingNames.filter(isAddress).find((name) => `harness.${name}` === entry.setting);
  const baseUrl = setting === undefined ? '' : readSetting(setting);
  return { apiKey, baseUrl: baseUrl || environmentUrl(entry, process.env) };
}

function isAddress(name: SettingName): name is AddressSetting {
  return name.endsWith('.baseUrl');
}
