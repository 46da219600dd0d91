import type { ModelInfo, ModelProvider, Turn } from '../../ports/model.ts';
import { catalog, needsKey, type ProviderEntry } from '../catalog.ts';
import { checkRequest, namesOfFunctions, piecesOfMessages } from '../wire/check-request.ts';
import type { ServerRefusal } from '../wire/classify-error.ts';
import { fieldsOf, listOf } from '../wire/json.ts';
import { serverSentEvents } from '../wire/stream-framing.ts';
import { type HttpRequest, type Protocol, requestJson, streamTurn } from '../wire/stream-turn.ts';
import { apiKeyOf, baseUrlOf, isLocalAddress, type Vendor, type WireOptions } from '../wire/vendor.ts';
import { ID_FORMS } from './call-id.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import { ChatReader } from './from-stream.ts';
import { openaiModelsIn } from './list-models.ts';
import { repaired } from './request-repair.ts';
import type { Listener } from './to-messages.ts';
import { type Translated, toChatRequest } from './to-request.ts';

export interface ChatOptions extends WireOptions {
  /** OpenAI if absent. */
  readonly entry?: ProviderEntry | undefined;
}

/**
 * A server with Chat Completions (platform.openai.com/docs/api-reference/chat), in its own dialect. If
 * `idleTimeoutMs` is absent, a local server has no time limit.
 */
export function createOpenAiProvider({ entry = OPENAI, ...given }: ChatOptions): ModelProvider {
  const vendor = vendorOf(entry, given);
  const isLocal = isLocalAddress(baseUrlOf(given, vendor));
  return createChatProvider(entry, vendor, { ...(isLocal && { idleTimeoutMs: 0 }), ...given });
}

// The catalog has it.
const OPENAI = catalog.find(({ name }) => name === 'openai') as ProviderEntry;

/** Creates the provider with a vendor of its own. */
export function createChatProvider(
  { name, images }: Pick<ProviderEntry, 'name' | 'images'>,
  vendor: Vendor,
  options: WireOptions,
): ModelProvider {
  const conversations = new Map<string, Conversation>();
  const at = (model: string): Conversation => {
    const dialect = dialectOf(name, baseUrlOf(options, vendor), model);
    const known =
      conversations.get(model) ?? begin({ provider: name, model, dialect, images: images && dialect.images });
    conversations.set(model, known);
    return known;
  };
  const protocol: Protocol = {
    vendor,
    request: (turn) => toHttpRequest(turn, at(turn.model), vendor, options),
    check: ({ body }, turn) => checkMessages(body, at(turn.model).listener.dialect, vendor),
    pieces: dataOf,
    reader: (turn) => new ChatReader(turn, authorOf(at(turn.model).listener)),
    repair: (turn, refusal) => repair(turn, at(turn.model), refusal, vendor, options),
  };
  return {
    name,
    streamTurn: (turn, signal, hooks) => streamTurn(protocol, options, turn, signal, hooks),
    listModels: (signal) => listModels(vendor, options, signal),
  };
}

/** What is known about one model's server, and the messages translated for it. */
interface Conversation {
  listener: Listener;
  translated: Translated;
}

function begin(listener: Listener): Conversation {
  return { listener, translated: new WeakMap() };
}

function authorOf({ provider, model, dialect: { echo, thinkTags } }: Listener) {
  return { provider, model, echo, thinkTags };
}

function vendorOf(entry: ProviderEntry, options: WireOptions): Vendor {
  const { label, baseUrl, setting } = entry;
  return {
    name: label,
    api: 'Chat Completions API',
    baseUrl,
    setting,
    needsKey: needsKey(entry, options.baseUrl ?? ''),
  };
}

function toHttpRequest(
  turn: Turn,
  { listener, translated }: Conversation,
  vendor: Vendor,
  options: WireOptions,
): HttpRequest {
  return {
    url: `${baseUrlOf(options, vendor)}/chat/completions`,
    headers: keyHeader(options),
    body: toChatRequest(turn, listener, translated),
  };
}

function checkMessages(body: unknown, { ids }: Dialect, { name }: Vendor): void {
  const { messages, tools } = fieldsOf(body) ?? {};
  const pieces = piecesOfMessages(listOf(messages));
  checkRequest(name, { pieces, tools: namesOfFunctions(tools), ids: ID_FORMS[ids], body });
}

/** Uses the dialect that the server asked for, for this and all later requests to the model. */
function repair(
  turn: Turn,
  conversation: Conversation,
  refusal: ServerRefusal,
  vendor: Vendor,
  options: WireOptions,
): HttpRequest | undefined {
  const dialect = repaired(conversation.listener.dialect, refusal);
  if (!dialect) return undefined;
  const images = conversation.listener.images && dialect.images;
  const other = begin({ ...conversation.listener, dialect, images });
  const [before, after] = [conversation, other].map((each) => toHttpRequest(turn, each, vendor, options));
  if (JSON.stringify(after) === JSON.stringify(before)) return undefined;
  Object.assign(conversation, other);
  return after;
}

function dataOf(body: AsyncIterable<Uint8Array>): AsyncIterable<readonly string[]> {
  return serverSentEvents(body, ({ event, data }) =>
    event === 'error' && !/^\s*[{[]/.test(data) ? JSON.stringify({ error: data }) : data,
  );
}

async function listModels(
  vendor: Vendor,
  options: WireOptions,
  signal: AbortSignal,
): Promise<readonly ModelInfo[]> {
  const request = { url: `${baseUrlOf(options, vendor)}/models`, headers: keyHeader(options) };
  return openaiModelsIn(await requestJson(vendor, options, request, 'the list of models', signal));
}

/** The header with the key; empty if there is no key. */
export function keyHeader(options: WireOptions): Readonly<Record<string, string>> {
  const key = apiKeyOf(options);
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}
