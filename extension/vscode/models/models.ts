import type * as vscode from 'vscode';
import { SetupError } from '../../core/base/setup-error.ts';
import type { RunLimits } from '../../core/context/limits.ts';
import { systemPrompt } from '../../core/context/system-prompt.ts';
import { createConfig } from '../../core/loop/config.ts';
import { type RunSettings, toRunSettings } from '../../core/loop/run-settings.ts';
import type { ModelProvider } from '../../core/ports/model.ts';
import type { Workspace } from '../../core/ports/workspace.ts';
import type { ProviderEntry } from '../../core/providers/catalog.ts';
import type { ModelReference, Router } from '../../core/providers/router.ts';
import { say } from '../../protocol/say.ts';
import { readSetting, writeUserSetting } from '../base/settings.ts';
import type { ModelList } from './model-items.ts';
import { pickModel } from './pick-model.ts';
import type { Providers } from './providers.ts';
import { isKeyed, type KeyedProvider } from './set-api-key.ts';

const RECENT = 'harness.recentModels';
const MAX_RECENT = 5;

/** Determines the model that answers, and the settings of a run. */
export class Models {
  readonly #providers: Providers;
  readonly #workspace: Pick<Workspace, 'trusted'>;
  readonly #memory: vscode.Memento;
  /**
   * The system prompt of a session must not change while the session is open, except for another provider.
   */
  readonly #systems = new Map<string, string>();

  /** `memory` stores the recently chosen models. */
  constructor(providers: Providers, workspace: Pick<Workspace, 'trusted'>, memory: vscode.Memento) {
    this.#providers = providers;
    this.#workspace = workspace;
    this.#memory = memory;
  }

  get router(): Router {
    return this.#providers.router();
  }

  get limits(): RunLimits {
    return {
      maxTurns: readSetting('maxTurns'),
      maxToolCallsPerTurn: readSetting('maxToolCallsPerTurn'),
      timeoutMs: readSetting('terminal.timeoutSeconds') * 1000,
    };
  }

  /** Rejects with `SetupError`. */
  async runSettings(session: string): Promise<RunSettings> {
    if (!this.#workspace.trusted()) throw new SetupError('untrusted', UNTRUSTED);
    const fallback = readSetting('fallbackModel');
    return {
      ...(await this.#settingsWith(readSetting('model'), session)),
      ...(fallback !== '' && { fallback: () => this.#settingsWith(fallback, session) }),
    };
  }

  /**
   * The system prompt and the provider of a session's requests, by default for the current model. Rejects
   * with `SetupError` if there is no such model.
   */
  async inUse(
    session: string,
    model = readSetting('model'),
  ): Promise<{ readonly system: string; readonly provider: ModelProvider }> {
    const { entry } = this.router.resolve(model);
    return { system: this.#systemOf(session, entry), provider: await this.#providers.get(entry) };
  }

  /** Describes the model for the panel. Never rejects, even if the setting is invalid. */
  async describe(): Promise<{
    readonly model: string;
    readonly modelName: string;
    readonly demo: boolean;
    readonly ready: boolean;
    readonly images: boolean;
  }> {
    const setting = readSetting('model');
    try {
      const { provider, model, entry } = this.router.resolve(setting);
      return {
        model: `${provider}/${model}`,
        modelName: provider === 'demo' ? 'Demo' : model,
        demo: provider === 'demo',
        ready: await this.#providers.isReady(entry),
        images: entry.images,
      };
    } catch {
      // The next prompt reports the problem. The panel shows the setting as it is.
      return { model: setting, modelName: setting, demo: false, ready: true, images: true };
    }
  }

  /** The provider for a key if the user named none: that of the current model, or else Anthropic. */
  keyedProvider(): KeyedProvider {
    const { router } = this;
    const references = [resolveOr(router, readSetting('model'), 'sonnet'), router.resolve('anthropic/any')];
    // Anthropic needs a key.
    return references.map(({ entry }) => entry).find(isKeyed) as KeyedProvider;
  }

  /** Resolves with whether the user chose a model. */
  async select(): Promise<boolean> {
    const { router } = this;
    const picked = await pickModel({
      current: (await this.describe()).model,
      recent: this.#recent,
      aliases: meanings(router),
      lists: (signal) => this.#lists(router, signal),
      resolve: (text) => referenceOf(router.resolve(text)),
    });
    if (picked) await this.use(picked);
    return picked !== undefined;
  }

  /**
   * `name` is `provider/model`, an alias, or a model's id. Rejects with `SetupError` if there is no such
   * model.
   */
  async use(name: string): Promise<void> {
    const reference = referenceOf(this.router.resolve(name));
    await writeUserSetting('model', name.trim());
    const recent = [reference, ...this.#recent.filter((other) => other !== reference)];
    await this.#memory.update(RECENT, recent.slice(0, MAX_RECENT));
  }

  get #recent(): readonly string[] {
    return this.#memory.get<readonly string[]>(RECENT, []);
  }

  /** The lists of the providers that are set up. */
  async #lists(router: Router, signal: AbortSignal): Promise<ModelList[]> {
    // If the keys cannot be read, the provider's list reports that.
    const isReady = (entry: ProviderEntry) => this.#providers.isReady(entry).catch(() => true);
    const ready = await Promise.all(router.providers.map(isReady));
    return router.providers
      .filter((_, index) => ready[index])
      .map((entry) => ({ entry, models: this.#list(entry, signal) }));
  }

  async #list(entry: ProviderEntry, signal: AbortSignal) {
    return (await this.#providers.get(entry)).listModels(signal);
  }

  async #settingsWith(model: string, session: string): Promise<RunSettings> {
    const { router } = this;
    const effort = readSetting('reasoningEffort');
    const config = createConfig(
      {
        ...(await this.#providers.access(router.resolve(model).entry)),
        model,
        ...(effort !== '' && { effort }),
        maxTokens: readSetting('maxTokens'),
        ...this.limits,
        systemPrompt: readSetting('systemPrompt'),
      },
      router,
    );
    const provider = await this.#providers.get(config.provider);
    return { ...toRunSettings(config, provider), system: this.#systemOf(session, config.provider) };
  }

  #systemOf(session: string, { protocol }: ProviderEntry): string {
    const key = `${protocol} ${session}`;
    const system = this.#systems.get(key) ?? systemPrompt(protocol, readSetting('systemPrompt'));
    this.#systems.set(key, system);
    return system;
  }
}

function referenceOf({ provider, model }: ModelReference): string {
  return `${provider}/${model}`;
}

/** The model of each alias. A wrong alias of the user is reported when it is used. */
function meanings(router: Router): Readonly<Record<string, string>> {
  const meant = Object.keys(router.aliases).flatMap((alias) => {
    try {
      return [[alias, referenceOf(router.resolve(alias))]];
    } catch {
      // Leaves out an alias that names no model.
      return [];
    }
  });
  return Object.fromEntries(meant);
}

function resolveOr(router: Router, reference: string, otherwise: string): ModelReference {
  try {
    return router.resolve(reference);
  } catch {
    // The next prompt reports the problem.
    return router.resolve(otherwise);
  }
}

const UNTRUSTED = say(
  'This folder is not trusted, so nothing runs in it. Trust it with “Workspaces: Manage Workspace Trust”, then try again.',
);
