import {
  type ModelEvent,
  ModelFailure,
  type ModelInfo,
  type ModelProvider,
  type Turn,
} from '../../ports/model.ts';
import { toModelError } from '../http/classify-error.ts';
import { requestJson } from '../http/stream-turn.ts';
import { baseUrlOf, contextOf, type WireOptions } from '../http/vendor.ts';
import { createChatProvider, keyHeader } from '../openai/openai-provider.ts';
import { toModels } from './lmstudio-models.ts';
import { LM_STUDIO } from './vendor.ts';

/** So much of its window may be full where a model answers nothing for want of room. */
const FULL = 0.9;

/** The server of LM Studio (lmstudio.ai/docs/developer), at an address with or without `/v1`. */
export function createLmStudioProvider(given: WireOptions): ModelProvider {
  const root = baseUrlOf(given, LM_STUDIO).replace(/\/v1$/, '');
  // A large model may take minutes to load, and minutes again to read a long prompt, without a byte.
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

/** From the first of its lists that it has: its own ones tell how much context a model has. */
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
    return toModels(await requestJson(LM_STUDIO, options, request, 'the list of models', signal));
  } catch (error) {
    if (error instanceof ModelFailure && error.error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** Of a prompt that is longer than its context LM Studio may make an empty reply, and nothing else tells of it. */
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
  // Whoever asks has an error to tell already.
  const models = await listModels(signal).catch(() => []);
  return models.find(({ id }) => id === model)?.contextWindow;
}
