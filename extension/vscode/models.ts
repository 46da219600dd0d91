import { createConfig } from '../core/loop/config.ts';
import { type RunSettings, type Surroundings, toRunSettings } from '../core/loop/run-settings.ts';
import { SetupError } from '../core/loop/setup-error.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { ModelProvider } from '../core/ports/model.ts';
import { createProvider, needsKey, takesImages } from '../core/providers/create-provider.ts';
import { resolveModel } from '../core/providers/model-reference.ts';
import { say } from '../protocol/say.ts';
import { pickModel } from './pick-model.ts';
import type { ApiKeys } from './secrets.ts';
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
    const reference = resolveModel(readSetting('model'));
    const config = createConfig({
      ...(await this.#access(reference.provider)),
      model: readSetting('model'),
      maxTokens: readSetting('maxTokens'),
      maxTurns: readSetting('maxTurns'),
      maxToolCallsPerTurn: readSetting('maxToolCallsPerTurn'),
      timeoutMs: readSetting('terminal.timeoutSeconds') * 1000,
      systemPrompt: readSetting('systemPrompt'),
    });
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
      const { provider, model } = resolveModel(setting);
      const ready = !needsKey(provider) || (await this.#keys.get(provider)) !== undefined;
      return {
        model: `${provider}/${model}`,
        modelName: provider === 'demo' ? 'Demo' : model,
        demo: provider === 'demo',
        ready,
        images: takesImages(provider),
      };
    } catch {
      // The prompt will say what is wrong with it; the panel shows what is set.
      return { model: setting, modelName: setting, demo: false, ready: true, images: true };
    }
  }

  async select(): Promise<void> {
    const picked = await pickModel(() => this.#provider('anthropic'), readSetting('model'));
    if (picked) await this.use(picked);
  }

  /** `reference` as in the setting `harness.model`. */
  async use(reference: string): Promise<void> {
    await writeUserSetting('model', reference);
  }

  async #provider(name: string): Promise<ModelProvider> {
    const access = await this.#access(name);
    const key = JSON.stringify([name, access]);
    if (this.#made?.key !== key) {
      this.#made = { key, provider: await createProvider(name, { ...access, clock: this.#clock }) };
    }
    return this.#made.provider;
  }

  async #access(provider: string): Promise<{ apiKey: string; baseUrl: string }> {
    const apiKey = (await this.#keys.get(provider))?.value ?? '';
    return { apiKey, baseUrl: readSetting('anthropic.baseUrl') || (process.env.ANTHROPIC_BASE_URL ?? '') };
  }

  #keepSystem(session: string, system: string): string {
    const first = this.#systems.get(session) ?? system;
    this.#systems.set(session, first);
    return first;
  }
}

const UNTRUSTED = say(
  'This folder is not trusted, so nothing runs in it. Trust it with “Workspaces: Manage Workspace Trust”, then try again.',
);
