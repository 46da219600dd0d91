// What the server tells of a model, as far as it is read: https://docs.ollama.com/api
import { type Fields, fieldsOf, listOf, textOf } from '../wire/json.ts';

/** "Agents and coding tools should be set to at least 64000 tokens": https://docs.ollama.com/context-length */
const AGENT_WINDOW = 65_536;
/** With less an agent has no room beside its instructions and tools. */
const LEAST_WINDOW = 16_384;
/** Where neither the window of a model nor its shape is told. */
const UNKNOWN_WINDOW = 32_768;
/** Memory that the window may take beside the model itself. */
const CACHE_BYTES = 8 * 2 ** 30;
const STEP = 1024;

/** A value of `think`: thinking on or off, or how much. */
export type Think = boolean | string;

export interface ModelFacts {
  /** The window to run it in, in tokens. */
  readonly window: number;
  /** "tools", "thinking", "vision", …; absent where an older server does not tell. */
  readonly capabilities?: ReadonlySet<string> | undefined;
  /** What `think` may be; none where it does not think, absent where that is not told. */
  readonly think?: readonly Think[] | undefined;
  /** It runs in Ollama's cloud. */
  readonly isRemote: boolean;
}

/** Of a model of which the server tells nothing. */
export const UNKNOWN_FACTS: ModelFacts = { window: chooseWindow({ isRemote: false }), isRemote: false };

/** The names of the models that are there, from the answer to `/api/tags`; undefined for another answer. */
export function readTags(answer: unknown): readonly string[] | undefined {
  const models = fieldsOf(answer)?.models;
  if (!Array.isArray(models)) return undefined;
  return models.map((model) => textOf(fieldsOf(model)?.name)).filter((name) => name !== '');
}

/** From the answers to `/api/show` and `/api/ps`; either may be missing. */
export function readFacts(model: string, shown: unknown, running: unknown): ModelFacts {
  const show = fieldsOf(shown);
  if (!show) return UNKNOWN_FACTS;
  const isRemote = textOf(show.remote_host) !== '';
  const window = chooseWindow({
    trained: infoOf(show, 'context_length'),
    pinned: pinnedWindow(show),
    loaded: loadedWindow(model, running),
    bytesPerToken: bytesPerToken(show),
    isRemote,
  });
  const capabilities = Array.isArray(show.capabilities) ? new Set(show.capabilities.map(textOf)) : undefined;
  return { window, capabilities, think: thinkOf(show, capabilities), isRemote };
}

/** `think` of most models is on or off; that of gpt-oss is a level, and cannot be off. */
function thinkOf(
  { thinking, details }: Fields,
  capabilities: ReadonlySet<string> | undefined,
): readonly Think[] | undefined {
  const values = fieldsOf(thinking)?.values;
  if (Array.isArray(values)) return values.filter(isThink);
  if (!capabilities) return undefined;
  if (!capabilities.has('thinking')) return [];
  return /^gpt-?oss/.test(textOf(fieldsOf(details)?.family)) ? ['low', 'medium', 'high'] : [false, true];
}

function isThink(value: unknown): value is Think {
  return typeof value === 'boolean' || typeof value === 'string';
}

function pinnedWindow({ parameters }: Fields): number | undefined {
  const [, value] = /^num_ctx\s+(\d+)/m.exec(textOf(parameters)) ?? [];
  return value === undefined ? undefined : Number(value);
}

function loadedWindow(model: string, running: unknown): number | undefined {
  const names = [model, `${model}:latest`];
  const models = listOf(fieldsOf(running)?.models).map(fieldsOf);
  const found = models.find((loaded) => loaded && names.includes(textOf(loaded.name)));
  return positive(found?.context_length);
}

/** Keys and values of every layer, two bytes each. */
function bytesPerToken(show: Fields): number | undefined {
  const layers = infoOf(show, 'block_count');
  const heads = infoOf(show, 'attention.head_count');
  const width = infoOf(show, 'embedding_length');
  const keyHeads = infoOf(show, 'attention.head_count_kv') ?? heads;
  const headWidth = heads && width ? width / heads : undefined;
  const keys = infoOf(show, 'attention.key_length') ?? headWidth;
  const values = infoOf(show, 'attention.value_length') ?? headWidth;
  return layers && keyHeads && keys && values ? 2 * layers * keyHeads * (keys + values) : undefined;
}

/** A number of the model's architecture: `llama.context_length`. */
function infoOf({ model_info }: Fields, name: string): number | undefined {
  const info = fieldsOf(model_info);
  return positive(info?.[`${textOf(info['general.architecture'])}.${name}`]);
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** What is known of the window in which a model can be run. Tokens. */
export interface WindowFacts {
  /** For which the model was made. */
  readonly trained?: number | undefined;
  /** `PARAMETER num_ctx` of its Modelfile: what its user has chosen. */
  readonly pinned?: number | undefined;
  /** With which it is in memory now. */
  readonly loaded?: number | undefined;
  /** Bytes of memory that each token of the window takes. */
  readonly bytesPerToken?: number | undefined;
  /** It runs elsewhere, so that its memory is not the user's. */
  readonly isRemote: boolean;
}

/**
 * The `num_ctx` to ask for: what the user has set (in the Modelfile, or by `OLLAMA_CONTEXT_LENGTH` for a model that is
 * loaded) where an agent can work with it, or else what an agent needs and the memory bears. Never more than the model
 * was made for.
 */
export function chooseWindow(facts: WindowFacts): number {
  const { trained = Number.POSITIVE_INFINITY, pinned = 0, loaded = 0, isRemote } = facts;
  // Another window than the loaded one would load the model anew.
  const chosen = [pinned, loaded].find((window) => window >= LEAST_WINDOW);
  if (chosen !== undefined) return Math.min(chosen, trained);
  return isRemote && Number.isFinite(trained) ? trained : Math.min(affordable(facts), trained);
}

function affordable({ trained, bytesPerToken }: WindowFacts): number {
  if (bytesPerToken === undefined) return trained === undefined ? UNKNOWN_WINDOW : AGENT_WINDOW;
  const fitting = Math.floor(CACHE_BYTES / bytesPerToken / STEP) * STEP;
  return Math.min(AGENT_WINDOW, Math.max(LEAST_WINDOW, fitting));
}
