import { say } from '../../protocol/say.ts';
import { SetupError } from '../loop/setup-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelProvider } from '../ports/model.ts';
import type { WireHooks } from '../ports/wire-hooks.ts';
import type { ProviderEntry } from './catalog.ts';
import { createDemoProvider } from './demo/demo-provider.ts';
import { isLocalAddress } from './http/local-address.ts';

export interface ProviderOptions {
  /** Empty where none is needed. */
  readonly apiKey: string;
  /** Empty for the provider's own address. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly hooks?: WireHooks | undefined;
  /** For servers on the user's own machine, which may load a model for minutes before the first byte. */
  readonly fetch?: typeof fetch | undefined;
}

const DEMO_WORD_DELAY_MS = 12;

/** What speaks with this provider. Its code is loaded on first use, and no other's. */
export async function createProvider(
  entry: ProviderEntry,
  { apiKey, baseUrl, clock, hooks, fetch }: ProviderOptions,
): Promise<ModelProvider> {
  const options = { apiKey, baseUrl: baseUrl || entry.baseUrl, clock, hooks };
  switch (entry.protocol) {
    case 'anthropic': {
      const { createAnthropicProvider } = await import('./anthropic/anthropic-provider.ts');
      return createAnthropicProvider(options);
    }
    case 'responses': {
      const { createCodexProvider } = await import('./codex/codex-provider.ts');
      return createCodexProvider(options);
    }
    case 'chat': {
      const { createOpenAiProvider } = await import('./openai/openai-provider.ts');
      return createOpenAiProvider({ ...options, entry, ...(isLocalAddress(options.baseUrl) && { fetch }) });
    }
    case 'lmstudio': {
      const { createLmStudioProvider } = await import('./lmstudio/lmstudio-provider.ts');
      return createLmStudioProvider({ ...options, fetch });
    }
    case 'ollama': {
      const { createOllamaProvider } = await import('./ollama/ollama-provider.ts');
      return createOllamaProvider({ ...options, fetch });
    }
    case 'demo':
      return createDemoProvider({ clock, wordDelayMs: DEMO_WORD_DELAY_MS });
    default:
      throw new SetupError('config', say('The models of {0} are there in the editor alone.', entry.label));
  }
}

/** What listens at every address is asked at this computer's own. */
const EVERY_ADDRESS = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

/** The environment's own address of a provider; empty where it names none. */
export function environmentUrl({ variable }: ProviderEntry, environment: Environment): string {
  const value = variable === undefined ? undefined : environment[variable]?.trim();
  if (!value) return '';
  // Ollama's variable is what its server listens at: without a protocol, often without a port, and maybe every address.
  if (variable !== 'OLLAMA_HOST' || /^https?:\/\//.test(value)) return value;
  const address = `http://${value.startsWith(':') ? '127.0.0.1' : ''}${value}`;
  if (!URL.canParse(address)) return value;
  const { hostname, port } = new URL(address);
  const everywhere = EVERY_ADDRESS.get(hostname) ?? hostname;
  return `http://${everywhere}:${port || (/:80$/.test(value) ? '80' : '11434')}`;
}

/** The environment's key for a provider; undefined where there is none. */
export function environmentKey(
  { key }: Pick<ProviderEntry, 'key'>,
  environment: Environment,
): string | undefined {
  return key && (environment[key.variable]?.trim() || undefined);
}

type Environment = Readonly<Record<string, string | undefined>>;
