import type { Clock } from '../core/ports/clock.ts';
import type { ModelProvider } from '../core/ports/model.ts';
import { needsKey, type ProviderEntry } from '../core/providers/catalog.ts';
import { createProvider } from '../core/providers/create-provider.ts';
import { Router } from '../core/providers/router.ts';
import { patientFetch } from '../node/patient-fetch.ts';
import { type ProviderAccess, providerAccess } from './provider-access.ts';
import type { ApiKeys } from './secrets.ts';
import { readSetting } from './settings.ts';

/** The providers as the user has set them up. */
export class Providers {
  readonly #keys: ApiKeys;
  readonly #clock: Clock;
  /** A provider remembers what its API refused, so the same one serves until its key or its address changes. */
  readonly #made = new Map<string, { readonly setUp: string; readonly provider: Promise<ModelProvider> }>();

  constructor(keys: ApiKeys, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** As the settings are now. */
  router(): Router {
    return new Router({
      endpoints: readSetting('openaiCompatible.endpoints'),
      aliases: readSetting('models.aliases'),
    });
  }

  /** What speaks with it. Rejects with `SetupError`. */
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

  /** It has its key, or needs none. */
  async isReady(entry: ProviderEntry): Promise<boolean> {
    const { apiKey, baseUrl } = await this.access(entry);
    return apiKey !== '' || !needsKey(entry, baseUrl);
  }

  async #create(entry: ProviderEntry, access: ProviderAccess): Promise<ModelProvider> {
    if (entry.protocol === 'vscode') {
      const { createVscodeProvider } = await import('./language-models/vscode-provider.ts');
      return createVscodeProvider();
    }
    return createProvider(entry, { ...access, clock: this.#clock, fetch: patientFetch });
  }
}
