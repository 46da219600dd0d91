import * as vscode from 'vscode';
import type { ProviderEntry } from '../../core/providers/catalog.ts';
import { environmentKey } from '../../core/providers/create-provider.ts';
import { secretsOf } from '../../node/processes/process-environment.ts';

export interface ApiKey {
  readonly value: string;
  /** The origin of a key: VS Code's secret storage, or an environment variable. */
  readonly source: 'stored' | 'environment';
}

const PREFIX = 'harness.apiKey.';

/**
 * The providers' API keys. A stored key takes precedence over the environment. Harness never writes one to a
 * setting or a file.
 */
export class ApiKeys implements vscode.Disposable {
  readonly #storage: vscode.SecretStorage;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #listening: vscode.Disposable;
  /** Fires with the provider's name, also when another window stored or removed its key. */
  readonly onDidChange = this.#changed.event;

  constructor(storage: vscode.SecretStorage, environment: NodeJS.ProcessEnv) {
    this.#storage = storage;
    this.#environment = environment;
    this.#listening = storage.onDidChange(({ key }) => {
      if (key.startsWith(PREFIX)) this.#changed.fire(key.slice(PREFIX.length));
    });
  }

  async get(provider: Pick<ProviderEntry, 'name' | 'key'>): Promise<ApiKey | undefined> {
    const stored = await this.#storage.get(PREFIX + provider.name);
    if (stored) return { value: stored, source: 'stored' };
    const value = environmentKey(provider, this.#environment);
    return value ? { value, source: 'environment' } : undefined;
  }

  /** The secrets that must never be written: all stored keys, and the secrets in the environment. */
  async secrets(): Promise<readonly string[]> {
    return [...(await this.stored()), ...secretsOf(this.#environment)];
  }

  async stored(): Promise<readonly string[]> {
    const names = await this.#storage.keys();
    const stored = await Promise.all(names.map((name) => this.#storage.get(name)));
    return stored.filter((value) => value !== undefined);
  }

  /** Stores the key in VS Code's secret storage. */
  async set(provider: string, key: string): Promise<void> {
    await this.#storage.store(PREFIX + provider, key.trim());
  }

  async clear(provider: string): Promise<void> {
    await this.#storage.delete(PREFIX + provider);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}
