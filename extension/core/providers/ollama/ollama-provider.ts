import {
  type Effort,
  ModelFailure,
  type ModelInfo,
  type ModelProvider,
  type Turn,
} from '../../ports/model.ts';
import { checkRequest, namesOfFunctions, piecesOfMessages } from '../wire/check-request.ts';
import { classifyBody } from '../wire/classify-error.ts';
import { fieldsOf, listOf } from '../wire/json.ts';
import { jsonLines } from '../wire/stream-framing.ts';
import { type Protocol, requestJson, streamTurn } from '../wire/stream-turn.ts';
import { baseUrlOf, contextOf, type WireOptions } from '../wire/vendor.ts';
import { OllamaReader } from './from-stream.ts';
import { type ModelFacts, readFacts, readTags, type Think, UNKNOWN_FACTS } from './model-facts.ts';
import { OLLAMA, OLLAMA_NAME } from './options.ts';
import { toOllamaRequest } from './to-request.ts';

/**
 * A model that Ollama runs, over its own API (https://docs.ollama.com/api). There is no time limit. Ollama
 * may load a model and read a prompt for many minutes before it sends a byte. It is also silent while a model
 * writes the arguments of a tool.
 */
export function createOllamaProvider(given: WireOptions): ModelProvider {
  const options = { ...given, idleTimeoutMs: given.idleTimeoutMs ?? 0 };
  const models = new OllamaModels(options);
  const protocol = protocolOf(options, models);
  return {
    name: OLLAMA_NAME,
    streamTurn: (...asked) => streamTurn(protocol, options, ...asked),
    listModels: (signal) => models.list(signal),
  };
}

const ANY_ID = /./s;

function protocolOf(options: WireOptions, models: OllamaModels): Protocol {
  const request = (turn: Turn, facts: ModelFacts) => ({
    url: `${baseUrlOf(options, OLLAMA)}/api/chat`,
    headers: {},
    body: toOllamaRequest(turn, facts, thinkFor(turn.effort, facts.think)),
  });
  return {
    vendor: OLLAMA,
    request: async (turn, signal) => request(turn, await models.ask(turn.model, signal)),
    check: ({ body }) => {
      const { messages, tools } = fieldsOf(body) ?? {};
      const pieces = piecesOfMessages(listOf(messages));
      checkRequest(OLLAMA.name, { pieces, tools: namesOfFunctions(tools), ids: ANY_ID, body });
    },
    pieces: jsonLines,
    reader: (turn) => new OllamaReader(turn, () => models.known(turn.model)),
    repair: (turn, { words }) => {
      const known = models.known(turn.model);
      if (!/does not support thinking/i.test(words.text) || known.think?.length === 0) return undefined;
      const corrected = { ...known, think: [] };
      models.correct(turn.model, corrected);
      return request(turn, corrected);
    },
  };
}

/** Names a request other than a turn in error messages. */
const ABOUT = 'the list of models';

/**
 * The server's models. Asks about each model once, so that its window stays the same. With another window,
 * Ollama would load the model again.
 */
class OllamaModels {
  readonly #options: WireOptions;
  readonly #known = new Map<string, ModelFacts>();

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** The facts from an earlier `ask`, else `UNKNOWN_FACTS`. */
  known(model: string): ModelFacts {
    return this.#known.get(model) ?? UNKNOWN_FACTS;
  }

  /** Never rejects. If the server does not answer, the request itself fails with the reason. */
  async ask(model: string, signal: AbortSignal): Promise<ModelFacts> {
    const known = this.#known.get(model);
    if (known) return known;
    const facts = await this.#show(model, this.#running(signal), signal);
    if (facts !== UNKNOWN_FACTS) this.#known.set(model, facts);
    return facts;
  }

  /** Replaces facts that a request has disproved. */
  correct(model: string, facts: ModelFacts): void {
    this.#known.set(model, facts);
  }

  /** Rejects with `ModelFailure`. */
  async list(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const names = this.#names(await this.#get('/api/tags', signal));
    const running = this.#running(signal);
    const models = await Promise.all(
      names.map(async (name) => toInfo(name, await this.#show(name, running, signal))),
    );
    return models.filter((model) => model !== undefined);
  }

  #names(answer: unknown): readonly string[] {
    const names = readTags(answer);
    if (names) return names;
    const context = contextOf(this.#options, OLLAMA, ABOUT);
    throw new ModelFailure(classifyBody(JSON.stringify(answer), context));
  }

  async #show(model: string, running: Promise<unknown>, signal: AbortSignal): Promise<ModelFacts> {
    const shown = await this.#request('/api/show', { model }, signal).catch(() => undefined);
    return readFacts(model, shown, await running);
  }

  #running(signal: AbortSignal): Promise<unknown> {
    return this.#get('/api/ps', signal).catch(() => undefined);
  }

  #get(path: string, signal: AbortSignal): Promise<unknown> {
    return this.#request(path, undefined, signal);
  }

  #request(path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const url = `${baseUrlOf(this.#options, OLLAMA)}${path}`;
    return requestJson(OLLAMA, this.#options, { url, headers: {}, body }, ABOUT, signal);
  }
}

/** Undefined for a model that only computes embeddings. */
function toInfo(name: string, { window, capabilities, isRemote }: ModelFacts): ModelInfo | undefined {
  if (capabilities && !capabilities.has('completion')) return undefined;
  return {
    id: name,
    name,
    contextWindow: window,
    tools: capabilities?.has('tools'),
    ...(!isRemote && { price: { input: 0, output: 0 } }),
  };
}

/** The names of the levels, in order. */
const LEVELS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * The value of `think` for an effort; undefined if the request must leave the field out. `values` are those
 * that the model supports; undefined if unknown.
 */
export function thinkFor(
  effort: Effort | undefined,
  values: readonly Think[] | undefined,
): Think | undefined {
  if (effort === undefined) return undefined;
  if (!values) return effort === 'none' ? undefined : true;
  if (values.length === 0) return undefined;
  if (effort === 'none' && values.includes(false)) return false;
  const levels = values.filter((value) => typeof value === 'string');
  if (levels.length === 0) return values.includes(true) ? true : undefined;
  return levels.reduce((best, level) => (distance(level, effort) < distance(best, effort) ? level : best));
}

function distance(level: string, effort: Effort): number {
  const at = LEVELS.indexOf(level);
  return at < 0 ? Number.POSITIVE_INFINITY : Math.abs(at - LEVELS.indexOf(effort));
}
