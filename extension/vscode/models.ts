import { createConfig } from '../core/loop/config.ts';
import { type RunSettings, type Surroundings, toRunSettings } from '../core/loop/run-settings.ts';
import { SetupError } from '../core/loop/setup-error.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { ModelProvider } from '../core/ports/model.ts';
import type { ProviderEntry } from '../core/providers/catalog.ts';
import { createProvider } from '../core/providers/create-provider.ts';
import { type ModelReference, Router } from '../core/providers/router.ts';
import { patientFetch } from '../node/patient-fetch.ts';
import { say } from '../protocol/say.ts';
import { pickModel } from './pick-model.ts';
import { type ProviderAccess, providerAccess } from './provider-access.ts';
import type { ApiKeys } from './secrets.ts';
import type { KeyedProvider } from './set-api-key.ts';
import { readSetting, writeUserSetting } from './settings.ts';

/** Which model answers, and what a run is asked with. */
export class Models {
  readonly #keys: ApiKeys;
  readonly #clock: Clock;
  readonly #surroundings: Surroundings;
  /** The system prompt of a session must not change while it lives. */
  readonly #systems = new Map<string, string>();
  /** A provider remembers what its API refused, so the same one serves until the key or the address changes. */
  #made: { readonly key: string; readonly provider: ModelProvider } | undefined;

  constructor(keys: ApiKeys, clock: Clock, surroundings: Surroundings) {
    this.#keys = keys;
    this.#clock = clock;
    this.#surroundings = surroundings;
  }

  /** Rejects with `SetupError`. */
  async runSettings(session: string): Promise<RunSettings> {
    if (!this.#surroundings.workspace.trusted()) throw new SetupError('untrusted', UNTRUSTED);
    const router = routerOf();
    const reference = router.resolve(readSetting('model'));
    const config = createConfig(
      {
        ...(await providerAccess(reference.entry, this.#keys)),
        model: readSetting('model'),
        maxTokens: readSetting('maxTokens'),
        maxTurns: readSetting('maxTurns'),
        maxToolCallsPerTurn: readSetting('maxToolCallsPerTurn'),
        timeoutMs: readSetting('terminal.timeoutSeconds') * 1000,
        systemPrompt: readSetting('systemPrompt'),
      },
      router,
    );
    const settings = toRunSettings(config, await this.#provider(config.provider), this.#surroundings);
    return { ...settings, system: this.#keepSystem(session, settings.system) };
  }

  /** What the panel says of the model: never throws, whatever the setting holds. */
  async describe(): Promise<{
    readonly model: string;
    readonly modelName: string;
    readonly demo: boolean;
    readonly ready: boolean;
    readonly images: boolean;
  }> {
    const setting = readSetting('model');
    try {
      const { provider, model, entry } = routerOf().resolve(setting);
      const ready = !entry.key || (await this.#keys.get(entry)) !== undefined;
      return {
        model: `${provider}/${model}`,
        modelName: provider === 'demo' ? 'Demo' : model,
        demo: provider === 'demo',
        ready,
        images: entry.images,
      };
    } catch {
      // The prompt will say what is wrong with it; the panel shows what is set.
      return { model: setting, modelName: setting, demo: false, ready: true, images: true };
    }
  }

  /** Whose key is meant where nobody says: that of the model in use, or else Anthropic's. */
  keyedProvider(): KeyedProvider {
    const router = routerOf();
    const references = [resolveOr(router, readSetting('model'), 'sonnet'), router.resolve('sonnet')];
    // Anthropic has keys.
    return references.map(({ entry }) => entry).find(hasKey) as KeyedProvider;
  }

  async select(): Promise<void> {
    const picked = await pickModel(
      () => this.#provider(routerOf().resolve('sonnet').entry),
      readSetting('model'),
    );
    if (picked) await this.use(picked);
  }

  /** `reference` as in the setting `harness.model`. */
  async use(reference: string): Promise<void> {
    await writeUserSetting('model', reference);
  }

  async #provider(entry: ProviderEntry): Promise<ModelProvider> {
    const access = await providerAccess(entry, this.#keys);
    const key = JSON.stringify([entry, access]);
    if (this.#made?.key !== key) this.#made = { key, provider: await this.#create(entry, access) };
    return this.#made.provider;
  }

  async #create(entry: ProviderEntry, access: ProviderAccess): Promise<ModelProvider> {
    if (entry.protocol === 'vscode') {
      const { createVscodeProvider } = await import('./language-models/vscode-provider.ts');
      return createVscodeProvider();
    }
    return createProvider(entry, { ...access, clock: this.#clock, fetch: patientFetch });
  }

  #keepSystem(session: string, system: string): string {
    const first = this.#systems.get(session) ?? system;
    this.#systems.set(session, first);
    return first;
  }
}

function hasKey(entry: ProviderEntry): entry is KeyedProvider {
  return entry.key !== undefined;
}

function resolveOr(router: Router, reference: string, otherwise: string): ModelReference {
  try {
    return router.resolve(reference);
  } catch {
    // The next prompt says what is wrong with it.
    return router.resolve(otherwise);
  }
}

function routerOf(): Router {
  return new Router();
}

const UNTRUSTED = say(
  'This folder is not trusted, so nothing runs in it. Trust it with “Workspaces: Manage Workspace Trust”, then try again.',
);
