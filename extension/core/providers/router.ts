import { say } from '../../protocol/say.ts';
import { SetupError } from '../base/setup-error.ts';
import { MAX_NAMES, nearest } from '../base/text/similar-names.ts';
import { catalog, type ProviderEntry } from './catalog.ts';

/** The chosen model: `provider` as in `provider/model`, `model` as that provider names it. */
export interface ModelReference {
  readonly provider: string;
  readonly model: string;
  readonly entry: ProviderEntry;
}

/** Built-in short names. */
const ALIASES: Readonly<Record<string, string>> = {
  sonnet: 'anthropic/claude-sonnet-5-5',
  opus: 'anthropic/claude-opus-5-5',
  haiku: 'anthropic/claude-haiku-5-5',
  gpt: 'codex/gpt-5.6-sol',
  gemini: 'gemini/gemini-3.1-pro-preview',
  flash: 'gemini/gemini-3.8-flash',
  demo: 'demo/demo',
};

/** The user's own OpenAI-compatible server. */
export interface Endpoint {
  /** The prefix in `provider/model`. */
  readonly name: string;
  readonly baseUrl: string;
  /** Ids that belong to it even without its prefix; `*` matches any text. */
  readonly models?: readonly string[] | undefined;
  /** The server needs no key. */
  readonly keyless?: boolean | undefined;
}

export interface RouterOptions {
  readonly endpoints?: readonly Endpoint[];
  /** The user's short names, which override the built-in ones. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** Resolves what the user wrote to a provider and a model. */
export class Router {
  /** The user's endpoints come first: one may replace a built-in provider. */
  readonly providers: readonly ProviderEntry[];
  /** The meaning of each short name. */
  readonly aliases: Readonly<Record<string, string>>;

  constructor({ endpoints = [], aliases = {} }: RouterOptions = {}) {
    const own = endpoints.map(toEntry);
    const names = new Set(own.map(({ name }) => name));
    this.providers = [...own, ...catalog.filter(({ name }) => !names.has(name))];
    this.aliases = { ...ALIASES, ...aliases };
  }

  find(provider: string): ProviderEntry | undefined {
    return this.providers.find(({ name }) => name === provider);
  }

  /** Expands an alias, which may stand for another alias. Returns any other text unchanged. */
  expandAlias(text: string): string {
    const seen = new Set<string>();
    let full = text;
    while (Object.hasOwn(this.aliases, full) && !seen.has(full)) {
      seen.add(full);
      full = this.aliases[full] ?? full;
    }
    return full;
  }

  /**
   * Resolves `provider/model`, an alias, or a model id that identifies its vendor. Throws `SetupError` with
   * the most similar names.
   */
  resolve(reference: string): ModelReference {
    const full = this.expandAlias(reference.trim());
    const slash = full.indexOf('/');
    const [provider, model] = [full.slice(0, slash), full.slice(slash + 1)];
    const named = slash > 0 && model !== '' ? this.find(provider) : undefined;
    if (named) return { provider, model, entry: named };
    const owner = this.providers.find(({ models }) => models.some((pattern) => pattern.test(full)));
    if (owner) return { provider: owner.name, model: full, entry: owner };
    throw new SetupError('not_found', this.#unknown(full));
  }

  /** Similar names of models, or of the provider before a model. */
  #near(reference: string, providers: readonly string[]): string[] {
    const models = Object.entries(this.aliases).flat();
    const [provider = '', ...model] = reference.split('/');
    const moved = nearest(provider, providers).map((name) => [name, ...model].join('/'));
    const near = [
      ...nearest(reference, models),
      ...(model.length > 0 ? moved : moved.map((name) => `${name}/`)),
    ];
    return [...new Set(near)].filter((name) => name !== reference).slice(0, MAX_NAMES);
  }

  #unknown(reference: string): string {
    const names = this.providers.map(({ name }) => name);
    const close = this.#near(reference, names);
    return close.length > 0
      ? say(
          'Unknown model “{0}”. Did you mean {1}? Use provider/model (providers: {2}).',
          reference,
          close.join(', '),
          names.join(', '),
        )
      : say(
          'Unknown model “{0}”. Use provider/model (providers: {1}) or one of {2}.',
          reference,
          names.join(', '),
          Object.keys(this.aliases).join(', '),
        );
  }
}

function toEntry({ name, baseUrl, models = [], keyless }: Endpoint): ProviderEntry {
  const known = catalog.find((entry) => entry.name === name);
  const variable = `${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_API_KEY`;
  return {
    name,
    label: known?.label ?? name,
    protocol: 'chat',
    baseUrl,
    setting: 'harness.openaiCompatible.endpoints',
    ...(!keyless && { key: known?.key ?? { variable, prefix: '', console: new URL(baseUrl).host } }),
    models: models.map(toPattern),
    images: known?.images ?? true,
  };
}

function toPattern(glob: string): RegExp {
  return new RegExp(`^${glob.split('*').map(literal).join('.*')}$`);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
