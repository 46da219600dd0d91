import { say } from '../../../protocol/say.ts';
import {
  type ModelEvent,
  ModelFailure,
  type ModelInfo,
  type ModelProvider,
  type Turn,
} from '../../ports/model.ts';
import { createChatProvider, keyHeader } from '../openai/openai-provider.ts';
import { toModelError } from '../wire/classify-error.ts';
import { hostOf, quote } from '../wire/error-message.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../wire/json.ts';
import { requestJson } from '../wire/stream-turn.ts';
import { baseUrlOf, contextOf, type Vendor, type WireOptions } from '../wire/vendor.ts';

/** An empty reply counts as a full context if at least this share of the context was used. */
const FULL = 0.9;

/** The server of LM Studio (lmstudio.ai/docs/developer). The address may end with `/v1`. */
export function createLmStudioProvider(given: WireOptions): ModelProvider {
  const root = baseUrlOf(given, LM_STUDIO).replace(/\/v1$/, '');
  // A large model may take minutes to load, and minutes more to read a long prompt, without sending a byte.
  const options: WireOptions = { idleTimeoutMs: 0, ...given, baseUrl: `${root}/v1` };
  const chat = createChatProvider({ name: 'lmstudio', images: true }, LM_STUDIO, options);
  const listModels = (signal: AbortSignal) => listLoaded(root, options, chat, signal);
  return {
    name: chat.name,
    streamTurn: (turn, signal, hooks) =>
      explainEmpty(chat.streamTurn(turn, signal, hooks), turn, options, listModels, signal),
    listModels,
  };
}

/**
 * Uses the first of LM Studio's own lists that the server has, because these include the context of each
 * model.
 */
async function listLoaded(
  root: string,
  options: WireOptions,
  chat: ModelProvider,
  signal: AbortSignal,
): Promise<readonly ModelInfo[]> {
  for (const path of ['/api/v0/models', '/api/v1/models']) {
    const models = await listAt(`${root}${path}`, options, signal);
    if (models) return models;
  }
  return chat.listModels(signal);
}

async function listAt(
  url: string,
  options: WireOptions,
  signal: AbortSignal,
): Promise<readonly ModelInfo[] | undefined> {
  const request = { url, headers: keyHeader(options) };
  try {
    return lmstudioModelsIn(await requestJson(LM_STUDIO, options, request, 'the list of models', signal));
  } catch (error) {
    if (error instanceof ModelFailure && error.error.kind === 'not_found') return undefined;
    throw error;
  }
}

/**
 * For a prompt longer than its context, LM Studio may send an empty reply without any error. Replaces that
 * empty reply's error with `context_overflow`.
 */
async function* explainEmpty(
  events: AsyncIterable<ModelEvent>,
  turn: Turn,
  options: WireOptions,
  listModels: ModelProvider['listModels'],
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let used = 0;
  for await (const event of events) {
    if (event.type === 'usage') used = event.usage.inputTokens;
    const isEmpty = event.type === 'error' && event.error.kind === 'empty_response';
    const window = isEmpty && used > 0 ? await windowOf(turn.model, listModels, signal) : undefined;
    if (signal.aborted) return;
    if (window === undefined || used < FULL * window) yield event;
    else {
      const text = `${used} tokens > ${window}`;
      const error = toModelError('context_overflow', contextOf(options, LM_STUDIO, turn.model), { text });
      yield { type: 'error', error };
    }
  }
}

async function windowOf(
  model: string,
  listModels: ModelProvider['listModels'],
  signal: AbortSignal,
): Promise<number | undefined> {
  // The caller already has an error to report.
  const models = await listModels(signal).catch(() => []);
  return models.find(({ id }) => id === model)?.contextWindow;
}

/**
 * The models in LM Studio's own lists, loaded ones first. The lists are GET /api/v0/models
 * (lmstudio.ai/docs/developer/rest/endpoints) and, in versions without it, /api/v1/models
 * (lmstudio.ai/docs/developer/rest/list). Undefined for any other answer: to an unknown address, the server
 * answers with an error and status 200.
 */
export function lmstudioModelsIn(answer: unknown): ModelInfo[] | undefined {
  const { data, models } = fieldsOf(answer) ?? {};
  const list = data ?? models;
  if (!Array.isArray(list)) return undefined;
  const speaking = list.map((item) => fieldsOf(item) ?? {}).filter(isSpeaking);
  return speaking.sort((left, right) => Number(isLoaded(right)) - Number(isLoaded(left))).map(toModel);
}

/** Embedding models write no text. */
function isSpeaking(model: Fields): boolean {
  return idOf(model) !== '' && !/^embedding/.test(textOf(model.type));
}

function idOf({ id, key }: Fields): string {
  return textOf(id) || textOf(key);
}

function isLoaded({ state, loaded_instances }: Fields): boolean {
  return state === 'loaded' || listOf(loaded_instances).length > 0;
}

function toModel(model: Fields): ModelInfo {
  const id = idOf(model);
  const contextWindow = contextWindowOf(model);
  return {
    id,
    name: textOf(model.display_name) || id,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(canCall(model) && { tools: true }),
  };
}

/** A loaded model has the context that it was loaded with, often much less than its maximum. */
function contextWindowOf(model: Fields): number | undefined {
  const instance = fieldsOf(listOf(model.loaded_instances)[0]);
  const counts = [
    model.loaded_context_length,
    fieldsOf(instance?.config)?.context_length,
    model.max_context_length,
  ];
  return counts.find((count): count is number => Number.isSafeInteger(count) && Number(count) > 0);
}

/** For other models, the server emulates tools, so Harness makes no statement about them. */
function canCall({ capabilities }: Fields): boolean {
  return listOf(capabilities).includes('tool_use') || fieldsOf(capabilities)?.trained_for_tool_use === true;
}

/** The error texts of Node and of Electron. */
const REFUSED = /ECONNREFUSED|ERR_CONNECTION_REFUSED/;

export const LM_STUDIO: Vendor = {
  name: 'LM Studio',
  api: 'LM Studio API',
  baseUrl: 'http://127.0.0.1:1234/v1',
  setting: 'harness.lmstudio.baseUrl',
  needsKey: false,
  sentences: {
    network: ({ baseUrl, text = '', vendor }) =>
      REFUSED.test(text)
        ? say(
            'LM Studio is not running at {0}. Start its server (“lms server start” or the page “Developer”), or enter its address in the setting “{1}”.',
            hostOf(baseUrl),
            vendor.setting,
          )
        : say(
            'The connection to LM Studio at {0} failed{1}. Check whether the model is still running there.',
            hostOf(baseUrl),
            quote(text),
          ),
    not_found: ({ model, text }) =>
      say(
        'LM Studio cannot use the model “{0}”{1}. Load it there, or choose another one with “Harness: Select Model”.',
        model,
        quote(text),
      ),
    empty_response: ({ model }) =>
      say(
        '“{0}” returned an empty response. The conversation may not fit the context length set in LM Studio. Reload the model with a larger one.',
        model,
      ),
  },
};
