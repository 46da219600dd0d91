import { SetupError } from '../core/loop/setup-error.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { ModelProvider } from '../core/ports/model.ts';
import type { Shell } from '../core/ports/shell.ts';
import type { Workspace } from '../core/ports/workspace.ts';
import { systemPrompt } from '../core/prompt/system-prompt.ts';
import { createProvider, needsKey } from '../core/providers/create-provider.ts';
import { resolveModel } from '../core/providers/model-reference.ts';
import type { RunSettings } from '../core/session/session.ts';
import { pickModel } from './pick-model.ts';
import type { ApiKeys } from './secrets.ts';
import { readSetting, writeUserSetting } from './settings.ts';

/** Which model answers, and what a run is asked with. */
export class Models {
  readonly #keys: ApiKeys;
  readonly #clock: Clock;
  readonly #surroundings: { readonly workspace: Workspace; readonly shell: Shell };
  /** The system prompt of a session must not change while it lives. */
  readonly #prompts = new Map<string, string>();
  /** A provider remembers what its API refused, so the same one serves until the key or the address changes. */
  #made: { name: string; apiKey: string; baseUrl: string; provider: ModelProvider } | undefined;

  constructor(
    keys: ApiKeys,
    clock: Clock,
    surroundings: { readonly workspace: Workspace; readonly shell: Shell },
  ) {
    this.#keys = keys;
    this.#clock = clock;
    this.#surroundings = surroundings;
  }

  /** Rejects with `SetupError`. */
  async runSettings(session: string): Promise<RunSettings> {
    if (!this.#surroundings.workspace.trusted()) throw new SetupError('untrusted', UNTRUSTED);
    const { provider, model } = resolveModel(readSetting('model'));
    return {
      provider: await this.#provider(provider),
      model,
      system: this.#systemPrompt(session),
      maxTokens: readSetting('maxTokens'),
      maxTurns: readSetting('maxTurns'),
      maxToolCallsPerTurn: readSetting('maxToolCallsPerTurn'),
      timeoutMs: readSetting('terminal.timeoutSeconds') * 1000,
    };
  }

  /** What the panel says of the model: never throws, whatever the setting holds. */
  async describe(): Promise<{
    readonly model: string;
    readonly modelName: string;
    readonly demo: boolean;
    readonly ready: boolean;
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
      };
    } catch {
      // The prompt will say what is wrong with it; the panel shows what is set.
      return { model: setting, modelName: setting, demo: false, ready: true };
    }
  }

  async select(): Promise<void> {
    const picked = await pickModel(() => this.#provider('anthropic'), readSetting('model'));
    if (picked) await writeUserSetting('model', picked);
  }

  async useDemo(): Promise<void> {
    await writeUserSetting('model', 'demo/demo');
  }

  async #provider(name: string): Promise<ModelProvider> {
    const apiKey = (await this.#keys.get(name))?.value ?? '';
    const baseUrl = readSetting('anthropic.baseUrl') || (process.env.ANTHROPIC_BASE_URL ?? '');
    const made = this.#made;
    if (made?.name === name && made.apiKey === apiKey && made.baseUrl === baseUrl) return made.provider;
    const provider = await createProvider(name, { apiKey, baseUrl, clock: this.#clock });
    this.#made = { name, apiKey, baseUrl, provider };
    return provider;
  }

  #systemPrompt(session: string): string {
    const known = this.#prompts.get(session);
    if (known !== undefined) return known;
    const { workspace, shell } = this.#surroundings;
    const prompt = systemPrompt({
      roots: workspace.roots,
      platform: process.platform,
      shell: shell.description,
      instructions: readSetting('systemPrompt'),
    });
    this.#prompts.set(session, prompt);
    return prompt;
  }
}

const UNTRUSTED =
  'This folder is not trusted, so nothing runs in it. Trust it with “Workspaces: Manage Workspace Trust”, then try again.';
