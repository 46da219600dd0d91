import type { RunSettings } from '../loop/run-settings.ts';
import type { ModelEvent, ModelProvider, Turn } from '../ports/model.ts';
import type { Exchange } from './exchange.ts';

/** What is written down of a provider. */
export interface PlainProvider {
  /** Tells one from another: each remembers what its server has refused. */
  readonly number: number;
  readonly name: string;
  readonly tools?: readonly string[] | undefined;
}

type Limits = Omit<RunSettings, 'provider' | 'fallback'>;

/** Run settings as plain data. */
export interface PlainSettings extends Limits {
  readonly provider: PlainProvider;
  readonly hasFallback: boolean;
}

/** Run settings whose model is asked through an exchange. */
export class BoundSettings {
  readonly #exchange: Exchange;
  readonly #numbers = new Map<ModelProvider, number>();
  readonly #bound = new Map<ModelProvider, ModelProvider>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  bind(name: string, ask: () => Promise<RunSettings>): () => Promise<RunSettings> {
    return async () => {
      const settings = await this.#exchange.call(name, [], ask, {
        coding: { toPlain: (value) => this.#toPlain(value), fromPlain: (plain) => plainOf(plain) },
      });
      return this.#boundTo(settings);
    };
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
    const { name, tools } = provider;
    return { ...limits, provider: { number, name, tools }, hasFallback: fallback !== undefined };
  }
}

/** Never asked itself: everything that it is asked is played back. */
function plainOf(plain: unknown): RunSettings {
  // Written by `toPlain`.
  const { provider, hasFallback, ...limits } = plain as PlainSettings;
  const silent: ModelProvider = {
    name: provider.name,
    ...(provider.tools && { tools: provider.tools }),
    streamTurn: () => nothing(),
    listModels: async () => [],
  };
  const settings = { ...limits, provider: silent };
  return hasFallback ? { ...settings, fallback: async () => settings } : settings;
}

async function* nothing(): AsyncGenerator<ModelEvent> {}

function boundProvider(provider: ModelProvider, exchange: Exchange): ModelProvider {
  return {
    name: provider.name,
    ...(provider.tools && { tools: provider.tools }),
    streamTurn: (turn, signal, hooks) =>
      exchange.stream('model.turn', [provider.name, asked(turn)], () =>
        provider.streamTurn(turn, signal, hooks),
      ),
    listModels: (signal) => exchange.call('model.list', [provider.name], () => provider.listModels(signal)),
  };
}

/** What tells one request of a session from another, without going through all of it again. */
function asked({ model, messages }: Turn): readonly unknown[] {
  return [model, messages.length, messages.at(-1)?.role];
}
