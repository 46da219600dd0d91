import { say } from '../../protocol/say.ts';
import { SetupError } from '../base/setup-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelProvider, Wire } from '../ports/model.ts';
import type { WireHooks } from '../ports/wire-hooks.ts';
import type { ProviderEntry } from './catalog.ts';
import type { WireOptions } from './wire/vendor.ts';
import { isLocalAddress } from './wire/vendor.ts';

export interface ProviderOptions {
  /** Empty if the provider needs no key. */
  readonly apiKey: string;
  /** Empty for the provider's default address. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly hooks?: WireHooks | undefined;
  /**
   * For servers on the user's own machine, which may take minutes to load a model before they send a byte.
   */
  readonly fetch?: typeof fetch | undefined;
}

const DEMO_WORD_DELAY_MS = 12;

/** Creates the provider. Loads the code of its protocol alone, on first use. */
export async function createProvider(
  entry: ProviderEntry,
  { apiKey, baseUrl, clock, hooks, fetch: own }: ProviderOptions,
): Promise<ModelProvider> {
  if (entry.protocol === 'demo') {
    const { createDemoProvider } = await import('./demo/demo-provider.ts');
    return createDemoProvider({ clock, wordDelayMs: DEMO_WORD_DELAY_MS });
  }
  const make = await makerOf(entry);
  const address = baseUrl || entry.baseUrl;
  const fetchWith = isPatient(entry, address) ? own : undefined;
  const options = { apiKey, baseUrl: address, clock, hooks, ...(fetchWith && { fetch: fetchWith }) };
  // Looks up the global `fetch` for each request.
  const wire: Wire = { clock, fetch: (input, init) => (fetchWith ?? fetch)(input, init) };
  const { models: _, ...plain } = entry;
  return {
    ...make(options),
    origin: {
      entry: plain,
      baseUrl: address,
      hasKey: apiKey.trim() !== '',
      over: (bind) => make({ ...options, ...bind(wire) }),
    },
  };
}

type Maker = (options: WireOptions) => ModelProvider;

async function makerOf(entry: ProviderEntry): Promise<Maker> {
  switch (entry.protocol) {
    case 'anthropic':
      return (await import('./anthropic/anthropic-provider.ts')).createAnthropicProvider;
    case 'responses':
      return (await import('./codex/codex-provider.ts')).createCodexProvider;
    case 'chat': {
      const { createOpenAiProvider } = await import('./openai/openai-provider.ts');
      return (options) => createOpenAiProvider({ ...options, entry });
    }
    case 'lmstudio':
      return (await import('./lmstudio/lmstudio-provider.ts')).createLmStudioProvider;
    case 'ollama':
      return (await import('./ollama/ollama-provider.ts')).createOllamaProvider;
    default:
      throw new SetupError('config', say('Models from {0} are available only in VS Code.', entry.label));
  }
}

/** The server runs on the user's own machine. */
function isPatient({ protocol }: ProviderEntry, baseUrl: string): boolean {
  return protocol === 'lmstudio' || protocol === 'ollama' || (protocol === 'chat' && isLocalAddress(baseUrl));
}

/** Addresses on which a server listens, with the address under which this computer reaches it. */
const EVERY_ADDRESS = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

/** The address that the environment sets for a provider; empty if none. */
export function environmentUrl({ variable }: ProviderEntry, environment: Environment): string {
  const value = variable === undefined ? undefined : environment[variable]?.trim();
  if (!value) return '';
  // Ollama's variable is the address on which its server listens: without a protocol, often without a port,
  // and maybe for all interfaces.
  if (variable !== 'OLLAMA_HOST' || /^https?:\/\//.test(value)) return value;
  const address = `http://${value.startsWith(':') ? '127.0.0.1' : ''}${value}`;
  if (!URL.canParse(address)) return value;
  const { hostname, port } = new URL(address);
  const everywhere = EVERY_ADDRESS.get(hostname) ?? hostname;
  return `http://${everywhere}:${port || (/:80$/.test(value) ? '80' : '11434')}`;
}

/** The key that the environment sets for a provider; undefined if none. */
export function environmentKey(
  { key }: Pick<ProviderEntry, 'key'>,
  environment: Environment,
): string | undefined {
  return key && (environment[key.variable]?.trim() || undefined);
}

type Environment = Readonly<Record<string, string | undefined>>;
