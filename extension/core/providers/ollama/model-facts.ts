// What the server tells of a model, as far as it is read: https://docs.ollama.com/api
import * as z from 'zod/mini';
import { chooseWindow } from './context-window.ts';

const text = z.catch(z.optional(z.string()), undefined);
const tokens = z.catch(z.optional(z.int().check(z.positive())), undefined);

/** `POST /api/show`. */
const show = z.object({
  parameters: text,
  details: z.catch(z.optional(z.object({ family: text })), undefined),
  model_info: z.catch(z.optional(z.record(z.string(), z.unknown())), undefined),
  capabilities: z.catch(z.optional(z.array(z.string())), undefined),
  thinking: z.catch(z.optional(z.object({ values: z.array(z.union([z.boolean(), z.string()])) })), undefined),
  remote_host: text,
});

/** `GET /api/ps`. */
const running = z.object({
  models: z.array(z.object({ name: text, model: text, context_length: tokens })),
});

/** `GET /api/tags`. */
const tags = z.object({ models: z.array(z.object({ name: z.string() })) });

type Show = z.infer<typeof show>;

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

/** The names of the models that are there; undefined for another answer. */
export function readTags(answer: unknown): readonly string[] | undefined {
  return tags.safeParse(answer).data?.models.map(({ name }) => name);
}

/** From the answers to `/api/show` and `/api/ps`; either may be missing. */
export function readFacts(model: string, shown: unknown, processes: unknown): ModelFacts {
  const { data } = show.safeParse(shown);
  if (!data) return UNKNOWN_FACTS;
  const isRemote = Boolean(data.remote_host);
  const capabilities = data.capabilities && new Set(data.capabilities);
  const window = chooseWindow({
    trained: infoOf(data, 'context_length'),
    pinned: pinnedWindow(data),
    loaded: loadedWindow(model, processes),
    bytesPerToken: bytesPerToken(data),
    isRemote,
  });
  return { window, capabilities, think: thinkOf(data), isRemote };
}

/** `think` of most models is on or off; that of gpt-oss is a level, and cannot be off. */
function thinkOf({ thinking, capabilities, details }: Show): readonly Think[] | undefined {
  if (thinking) return thinking.values;
  if (!capabilities) return undefined;
  if (!capabilities.includes('thinking')) return [];
  return /^gpt-?oss/.test(details?.family ?? '') ? ['low', 'medium', 'high'] : [false, true];
}

function pinnedWindow({ parameters = '' }: Show): number | undefined {
  const [, value] = /^num_ctx\s+(\d+)/m.exec(parameters) ?? [];
  return value === undefined ? undefined : Number(value);
}

function loadedWindow(model: string, processes: unknown): number | undefined {
  const { data } = running.safeParse(processes);
  const names = [model, `${model}:latest`];
  return data?.models.find(({ name = '', model: id = '' }) => names.includes(name) || names.includes(id))
    ?.context_length;
}

/** Keys and values of every layer, two bytes each. */
function bytesPerToken(data: Show): number | undefined {
  const layers = infoOf(data, 'block_count');
  const heads = infoOf(data, 'attention.head_count');
  const width = infoOf(data, 'embedding_length');
  const keyHeads = infoOf(data, 'attention.head_count_kv') ?? heads;
  const headWidth = heads && width ? width / heads : undefined;
  const keys = infoOf(data, 'attention.key_length') ?? headWidth;
  const values = infoOf(data, 'attention.value_length') ?? headWidth;
  return layers && keyHeads && keys && values ? 2 * layers * keyHeads * (keys + values) : undefined;
}

/** A number of the model's architecture: `llama.context_length`. */
function infoOf({ model_info: info = {} }: Show, name: string): number | undefined {
  const value = info[`${String(info['general.architecture'])}.${name}`];
  return typeof value === 'number' && value > 0 ? value : undefined;
}
