// Reads what the server reports about a model: https://docs.ollama.com/api
import { type Fields, fieldsOf, listOf, textOf } from '../wire/json.ts';

/** "Agents and coding tools should be set to at least 64000 tokens": https://docs.ollama.com/context-length */
const AGENT_WINDOW = 65_536;
/** A smaller window has no room for an agent in addition to its instructions and tools. */
const LEAST_WINDOW = 16_384;
/** Used if both the window of a model and its architecture are unknown. */
const UNKNOWN_WINDOW = 32_768;
/** Memory that the window may use in addition to the model itself. */
const CACHE_BYTES = 8 * 2 ** 30;
const STEP = 1024;

/** A value of `think`: on, off, or an effort. */
export type Think = boolean | string;

export interface ModelFacts {
  /** The window to request, in tokens. */
  readonly window: number;
  /** For example "tools", "thinking" or "vision"; absent if an older server does not report them. */
  readonly capabilities?: ReadonlySet<string> | undefined;
  /** The supported values of `think`; empty if the model does not think, absent if unknown. */
  readonly think?: readonly Think[] | undefined;
  /** The model runs in Ollama's cloud. */
  readonly isRemote: boolean;
}

/** For a model about which the server reports nothing. */
export const UNKNOWN_FACTS: ModelFacts = { window: chooseWindow({ isRemote: false }), isRemote: false };

/** The names of the installed models, from the answer to `/api/tags`; undefined for any other answer. */
export function readTags(answer: unknown): readonly string[] | undefined {
  const models = fieldsOf(answer)?.models;
  if (!Array.isArray(models)) return undefined;
  return models.map((model) => textOf(fieldsOf(model)?.name)).filter((name) => name !== '');
}

/** Reads the answers to `/api/show` and `/api/ps`; either may be missing. */
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

/** For most models, `think` is on or off. For gpt-oss, it is a level and cannot be off. */
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

/** Keys and values of every layer, with two bytes each. */
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

/** A number of the model's architecture, such as `llama.context_length`. */
function infoOf({ model_info }: Fields, name: string): number | undefined {
  const info = fieldsOf(model_info);
  return positive(info?.[`${textOf(info['general.architecture'])}.${name}`]);
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** What is known about the possible windows of a model, in tokens. */
export interface WindowFacts {
  /** The window that the model was trained with. */
  readonly trained?: number | undefined;
  /** `PARAMETER num_ctx` of its Modelfile, which the user chose. */
  readonly pinned?: number | undefined;
  /** The window with which the model is loaded. */
  readonly loaded?: number | undefined;
  /** Bytes of memory for each token of the window. */
  readonly bytesPerToken?: number | undefined;
  /** The model runs elsewhere and uses none of the user's memory. */
  readonly isRemote: boolean;
}

/**
 * The `num_ctx` to request. Uses the user's value if it is large enough for an agent: from the Modelfile, or
 * `OLLAMA_CONTEXT_LENGTH` if the model is loaded. Otherwise uses what an agent needs, as far as the memory
 * allows. Never more than the model was trained with.
 */
export function chooseWindow(facts: WindowFacts): number {
  const { trained = Number.POSITIVE_INFINITY, pinned = 0, loaded = 0, isRemote } = facts;
  // With any other window than the loaded one, Ollama would load the model again.
  const chosen = [pinned, loaded].find((window) => window >= LEAST_WINDOW);
  if (chosen !== undefined) return Math.min(chosen, trained);
  return isRemote && Number.isFinite(trained) ? trained : Math.min(affordable(facts), trained);
}

function affordable({ trained, bytesPerToken }: WindowFacts): number {
  if (bytesPerToken === undefined) return trained === undefined ? UNKNOWN_WINDOW : AGENT_WINDOW;
  const fitting = Math.floor(CACHE_BYTES / bytesPerToken / STEP) * STEP;
  return Math.min(AGENT_WINDOW, Math.max(LEAST_WINDOW, fitting));
}
