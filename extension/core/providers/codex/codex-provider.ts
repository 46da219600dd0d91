import type { ModelInfo, ModelProvider, Turn } from '../../ports/model.ts';
import { checkRequest, type RequestPiece } from '../wire/check-request.ts';
import type { ServerRefusal } from '../wire/classify-error.ts';
import { type Fields, textOf } from '../wire/json.ts';
import { refusesLimit } from '../wire/output-limit.ts';
import { serverSentEvents } from '../wire/stream-framing.ts';
import { type HttpRequest, type Protocol, requestJson, streamTurn } from '../wire/stream-turn.ts';
import { COMMON_ID } from '../wire/tool-calls.ts';
import { apiKeyOf, baseUrlOf, type WireOptions } from '../wire/vendor.ts';
import { ResponseReader } from './from-stream.ts';
import { codexPriceOf, limitsOf } from './models.ts';
import { CODEX_NAME, OPENAI } from './options.ts';
import { asList, isObject } from './output-item.ts';
import { type Refused, toCodexRequest } from './to-request.ts';

/**
 * GPT and Codex over the Responses API (https://platform.openai.com/docs/api-reference/responses), or a
 * server that implements it.
 */
export function createCodexProvider(options: WireOptions): ModelProvider {
  const protocol = new ResponsesProtocol(options);
  return {
    name: CODEX_NAME,
    tools: ['apply_patch', 'update_plan'],
    streamTurn: (...asked) => streamTurn(protocol, options, ...asked),
    listModels: (signal) => listModels(options, signal),
  };
}

class ResponsesProtocol implements Protocol {
  readonly vendor = OPENAI;
  readonly #options: WireOptions;
  /** What the server refused for each model. Harness does not request it again. */
  readonly #refused = new Map<string, ReadonlySet<Refused>>();
  /** Reasoning blocks that were encrypted for another account. */
  readonly #unreadable = new WeakSet<object>();

  constructor(options: WireOptions) {
    this.#options = options;
  }

  request(turn: Turn): HttpRequest {
    const body = toCodexRequest(turn, this.#refused.get(turn.model), this.#unreadable);
    return { ...endpoint(this.#options, 'responses'), body };
  }

  check({ body }: HttpRequest): void {
    if (isObject(body)) checkInput(body);
  }

  pieces(body: AsyncIterable<Uint8Array>): AsyncIterable<readonly string[]> {
    return serverSentEvents(body, ({ data }) => data);
  }

  reader(turn: Turn): ResponseReader {
    return new ResponseReader(turn.model);
  }

  repair(turn: Turn, refusal: ServerRefusal): HttpRequest | undefined {
    if (isUnreadable(refusal)) return this.#leaveOutThoughts(turn);
    const before = this.#refused.get(turn.model);
    const refused = refusedIn(refusal);
    if (!refused || before?.has(refused)) return undefined;
    this.#refused.set(turn.model, new Set([...(before ?? []), refused]));
    return this.request(turn);
  }

  /** Leaves out the reasoning of this turn from now on. The server encrypts later reasoning anew. */
  #leaveOutThoughts({ messages, ...turn }: Turn): HttpRequest | undefined {
    const thoughts = messages
      .flatMap(({ content }): readonly object[] => content.filter(({ type }) => type === 'reasoning'))
      .filter((block) => !this.#unreadable.has(block));
    for (const block of thoughts) this.#unreadable.add(block);
    return thoughts.length > 0 ? this.request({ ...turn, messages }) : undefined;
  }
}

/** "The encrypted content … could not be verified. Reason: … organization_id did not match the target organization." */
function isUnreadable({ words: { code, text }, answer: { status } }: ServerRefusal): boolean {
  return (
    status === 400 && /invalid_encrypted_content|encrypted content .* could not be/is.test(`${code} ${text}`)
  );
}

/** Undefined if the refused part is required. */
function refusedIn({ words: { text }, answer: { status } }: ServerRefusal): Refused | undefined {
  // "Item with id 'rs_…' not found. Items are not persisted when `store` is set to false."
  if (status === 404 && /items are not persisted|item with id/i.test(text)) return 'kept_items';
  if (status !== 400) return undefined;
  // "Your organization must be verified to generate reasoning summaries."
  if (/reasoning summar|reasoning\.summary/i.test(text)) return 'summary';
  return refusesLimit(text) ? 'limit' : undefined;
}

function endpoint(options: WireOptions, path: string): Pick<HttpRequest, 'url' | 'headers'> {
  const key = apiKeyOf(options);
  return {
    url: `${baseUrlOf(options, OPENAI)}/${path}`,
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
  };
}

/** Models for other uses. The list has every model that the account can use. */
const OTHER_USES =
  /audio|realtime|transcri|tts|whisper|image|dall-e|sora|embedding|moderation|search|instruct|babbage|davinci|translate|live/;

async function listModels(options: WireOptions, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const json = await requestJson(OPENAI, options, endpoint(options, 'models'), 'the list of models', signal);
  const ids = asList(isObject(json) ? json.data : undefined).map(({ id }) => textOf(id));
  return ids
    .filter((id) => id !== '' && !OTHER_USES.test(id))
    .map((id) => {
      const price = codexPriceOf(id);
      return { id, name: id, ...limitsOf(id), ...(price && { price }) };
    });
}

/** Throws `ModelFailure` if the API would refuse the request. */
export function checkInput(body: Fields): void {
  const tools = asList(body.tools).map(({ name }) => textOf(name));
  const pieces = asList(body.input).flatMap(piecesOf);
  checkRequest(OPENAI.name, { pieces, tools, ids: COMMON_ID, body });
}

function piecesOf({ type, role, call_id, name, content }: Fields): RequestPiece[] {
  switch (type) {
    case 'function_call':
    case 'custom_tool_call':
      return [{ type: 'call', id: textOf(call_id), name: textOf(name) }];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ type: 'result', id: textOf(call_id) }];
    case 'message': {
      const isEmpty = asList(content).length === 0;
      // The model's own text may stand between a call and its result.
      return isEmpty || role !== 'assistant' ? [{ type: 'said', isEmpty }] : [];
    }
    default:
      return [];
  }
}
