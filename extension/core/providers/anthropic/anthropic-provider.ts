import type { ModelEvent, ModelInfo, ModelProvider, Turn } from '../../ports/model.ts';
import type { Connection } from '../http/connection.ts';
import { streamReply, withConnection } from '../http/stream-reply.ts';
import { apiKeyOf, baseUrlOf, watchedBy } from '../http/vendor.ts';
import { createClient } from './client.ts';
import { StreamReader, type WireEvent } from './from-stream.ts';
import { ANTHROPIC, type AnthropicOptions } from './options.ts';
import { refusalOf, refusesThinking } from './sdk-error.ts';
import { fingerprint, PROVIDER, toRequest } from './to-request.ts';

/** Claude over the Messages API (https://platform.claude.com/docs/en/api/messages), or a server that speaks it. */
export function createAnthropicProvider(options: AnthropicOptions): ModelProvider {
  const refused = new Set<string>();
  return {
    name: PROVIDER,
    streamTurn: (turn, signal, hooks) => streamTurn(watchedBy(options, hooks), refused, turn, signal),
    listModels: (signal) => listModels(options, signal),
  };
}

function streamTurn(
  options: AnthropicOptions,
  refused: Set<string>,
  turn: Turn,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const reader = new StreamReader(turn.model);
  const events = async function* (connection: Connection) {
    for await (const event of send(options, connection, turn, refused)) {
      options.hooks?.onRawEvent?.(event);
      yield reader.read(event);
    }
  };
  return streamReply({ vendor: ANTHROPIC, reader, events }, options, turn.model, signal);
}

/**
 * Sends the turn. Thinking blocks that the API does not take back (something before them was changed) are left out of
 * this request and of all later ones: what Claude thinks from here on is then bound to a conversation without them.
 */
async function* send(
  options: AnthropicOptions,
  { fetch, signal }: Connection,
  turn: Turn,
  refused: Set<string>,
): AsyncGenerator<WireEvent> {
  const client = createClient(apiKeyOf(options), baseUrlOf(options, ANTHROPIC), fetch);
  const create = async () => {
    const stream = await client.messages.create(toRequest(turn, refused), { signal });
    // The same parsed JSON, of which a WireEvent takes less for granted.
    return stream as AsyncIterable<WireEvent>;
  };
  try {
    yield* await create().catch((error: unknown) => {
      if (!refusesThinking(error) || !refuseThinking(turn, refused)) throw error;
      return create();
    });
  } catch (error) {
    throw refusalOf(error);
  }
}

/** False where no thinking block was sent that is not refused already. */
function refuseThinking(turn: Turn, refused: Set<string>): boolean {
  const before = refused.size;
  for (const message of turn.messages) {
    for (const block of message.content) {
      if (block.type === 'reasoning' && block.opaque) refused.add(fingerprint(block.opaque.data));
    }
  }
  return refused.size > before;
}

function listModels(options: AnthropicOptions, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  return withConnection(ANTHROPIC, options, 'the list of models', signal, async (connection) => {
    const client = createClient(apiKeyOf(options), baseUrlOf(options, ANTHROPIC), connection.fetch);
    try {
      const models: ModelInfo[] = [];
      const pages = client.models.list({ limit: 1000 }, { signal: connection.signal });
      for await (const { id, display_name, max_input_tokens, max_tokens } of pages) {
        const limits = { contextWindow: max_input_tokens ?? undefined, maxOutput: max_tokens ?? undefined };
        models.push({ id, name: display_name || id, ...limits });
      }
      return models;
    } catch (error) {
      throw refusalOf(error);
    }
  });
}
