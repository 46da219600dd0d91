import type { Clock } from '../core/ports/clock.ts';
import type { ModelProvider } from '../core/ports/model.ts';
import type { ProviderEntry } from '../core/providers/catalog.ts';
import { createProvider, environmentUrl } from '../core/providers/create-provider.ts';
import { Router } from '../core/providers/router.ts';
import type { ApiKeys } from './secrets.ts';
import { readSetting } from './settings.ts';

export interface Access {
  /** Empty where there is none. */
  readonly apiKey: string;
  /** Empty for the provider's own address. */
  readonly baseUrl: string;
}

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
    const provider = createProvider(entry, { ...access, clock: this.#clock });
    this.#made.set(entry.name, { setUp, provider });
    return provider;
  }

  async access(entry: ProviderEntry): Promise<Access> {
    const key = await this.#keys.get(entry);
    return { apiKey: key?.value ?? '', baseUrl: settingUrl(entry) || environmentUrl(entry, process.env) };
  }

  /** It has its key, or needs none. */
  async isReady(entry: ProviderEntry): Promise<boolean> {
    return !entry.key || (await this.#keys.get(entry)) !== undefined;
  }
}

const ADDRESSES = [
  'anthropic.baseUrl',
  'codex.baseUrl',
  'openai.baseUrl',
  'ollama.baseUrl',
  'lmstudio.baseUrl',
] as const;

/** The address of a provider of the user's stands in its entry. */
function settingUrl({ setting }: ProviderEntry): string {
  const name = ADDRESSES.find((address) => setting === `harness.${address}`);
  return name ? readSetting(name) : '';
}
