import type { ModelInfo, ModelProvider, Turn } from '../../ports/model.ts';
import type { ServerRefusal } from '../http/classify-error.ts';
import { serverSentEvents } from '../http/sse.ts';
import { type HttpRequest, type Protocol, requestJson, streamTurn } from '../http/stream-turn.ts';
import { apiKeyOf, baseUrlOf, type WireOptions } from '../http/vendor.ts';
import { checkInput } from './check-request.ts';
import { asList, asText, isObject } from './finished-item.ts';
import { ResponseReader } from './from-stream.ts';
import { limitsOf, priceOf } from './models.ts';
import { OPENAI, PROVIDER } from './options.ts';
import { toRequest } from './to-request.ts';

/** GPT and Codex over the Responses API (https://platform.openai.com/docs/api-reference/responses), or a server that speaks it. */
export function createCodexProvider(options: WireOptions): ModelProvider {
  const protocol = new ResponsesProtocol(options);
  return {
    name: PROVIDER,
    tools: ['apply_patch', 'update_plan'],
    streamTurn: (...asked) => streamTurn(protocol, options, ...asked),
    listModels: (signal) => listModels(options, signal),
  };
}

class ResponsesProtocol implements Protocol {
  readonly vendor = OPENAI;
  readonly #options: WireOptions;
  /** Models whose server was named an item that it does not have: it is not asked for any again. */
  readonly #stateless = new Set<string>();

  constructor(options: WireOptions) {
    this.#options = options;
  }

  request(turn: Turn): HttpRequest {
    const body = toRequest(turn, this.#stateless.has(turn.model));
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

  /** "Item with id 'rs_…' not found. Items are not persisted when `store` is set to false." */
  repair(turn: Turn, { words, answer }: ServerRefusal): HttpRequest | undefined {
    const isUnknownItem = answer.status === 404 && /items are not persisted|item with id/i.test(words.text);
    if (!isUnknownItem || this.#stateless.has(turn.model)) return undefined;
    this.#stateless.add(turn.model);
    return this.request(turn);
  }
}

function endpoint(options: WireOptions, path: string): Pick<HttpRequest, 'url' | 'headers'> {
  const key = apiKeyOf(options);
  return {
    url: `${baseUrlOf(options, OPENAI)}/${path}`,
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
  };
}

/** The list has what the account can use, whatever it is for. */
const OTHER_USES =
  /audio|realtime|transcri|tts|whisper|image|dall-e|sora|embedding|moderation|search|instruct|babbage|davinci|translate|live/;

async function listModels(options: WireOptions, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const json = await requestJson(OPENAI, options, endpoint(options, 'models'), 'the list of models', signal);
  const ids = asList(isObject(json) ? json.data : undefined).map(({ id }) => asText(id));
  return ids
    .filter((id) => id !== '' && !OTHER_USES.test(id))
    .map((id) => {
      const price = priceOf(id);
      return { id, name: id, ...limitsOf(id), ...(price && { price }) };
    });
}
