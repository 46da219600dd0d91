import type { RunSettings } from '../../loop/run-settings.ts';
import type { ModelProvider, Turn } from '../../ports/model.ts';
import type { PortInterceptor } from '../port-interceptor.ts';
import { interceptWire } from './wire.ts';

/** A provider as the recording describes it. */
export interface PlainProvider {
  /** Identifies the provider within the session. Each provider remembers what its server refused. */
  readonly number: number;
  readonly name: string;
  readonly tools?: readonly string[] | undefined;
  /** Present for a provider that has a wire. */
  readonly origin?:
    | { readonly entry: object; readonly baseUrl: string; readonly hasKey: boolean }
    | undefined;
}

type Limits = Omit<RunSettings, 'provider' | 'fallback'>;

/** Run settings as plain data. */
interface PlainSettings extends Limits {
  readonly provider: PlainProvider;
  readonly hasFallback: boolean;
}

/** Creates a provider from its description. */
export type Remake = (provider: PlainProvider) => Promise<ModelProvider>;

/** Intercepts run settings and the model in them. */
export class InterceptedSettings {
  readonly #exchange: PortInterceptor;
  readonly #recreate: Remake;
  readonly #numbers = new Map<ModelProvider, number>();
  readonly #bound = new Map<ModelProvider, ModelProvider>();
  readonly #providers = new Map<number, Promise<ModelProvider>>();

  constructor(exchange: PortInterceptor, remake: Remake) {
    this.#exchange = exchange;
    this.#recreate = remake;
  }

  bind(name: string, ask: () => Promise<RunSettings>): () => Promise<RunSettings> {
    const coding = {
      toPlain: (settings: RunSettings) => this.#toPlain(settings),
      fromPlain: (plain: unknown) => this.#fromPlain(plain),
    };
    return async () => this.#boundTo(await this.#exchange.call(name, [], ask, { coding }));
  }

  #boundTo(settings: RunSettings): RunSettings {
    const { provider, fallback } = settings;
    const bound = this.#bound.get(provider) ?? boundProvider(provider, this.#exchange);
    this.#bound.set(provider, bound);
    return { ...settings, provider: bound, ...(fallback && { fallback: this.bind('fallback', fallback) }) };
  }

  #toPlain({ provider, fallback, ...limits }: RunSettings): PlainSettings {
    const number = this.#numbers.get(provider) ?? this.#numbers.size + 1;
    this.#numbers.set(provider, number);
    const { name, tools, origin } = provider;
    return { ...limits, provider: { number, name, tools, origin }, hasFallback: fallback !== undefined };
  }

  async #fromPlain(plain: unknown): Promise<RunSettings> {
    // Written by `toPlain`.
    const { provider: recorded, hasFallback, ...limits } = plain as PlainSettings;
    const provider = this.#providers.get(recorded.number) ?? this.#recreate(recorded);
    this.#providers.set(recorded.number, provider);
    const settings = { ...limits, provider: await provider };
    return hasFallback ? { ...settings, fallback: async () => settings } : settings;
  }
}

function boundProvider(provider: ModelProvider, exchange: PortInterceptor): ModelProvider {
  const { name, tools, origin } = provider;
  // Intercepts only the wire of such a provider. In a replay, the provider parses the recorded bytes again.
  if (origin) return origin.over((wire) => interceptWire(wire, exchange));
  return {
    name,
    ...(tools && { tools }),
    streamTurn: (turn, signal, hooks) =>
      exchange.stream('model.turn', [name, asked(turn)], () => provider.streamTurn(turn, signal, hooks)),
    listModels: (signal) => exchange.call('model.list', [name], () => provider.listModels(signal)),
  };
}

/** What distinguishes the requests of a session. Hashing the whole turn would cost too much. */
function asked({ model, messages }: Turn): readonly unknown[] {
  return [model, messages.length, messages.at(-1)?.role];
}
