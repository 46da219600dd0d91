import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { ModelEvent, ModelInfo, ModelProvider, Turn } from '../../ports/model.ts';
import { checkRequest, type RequestPiece } from '../wire/check-request.ts';
import type { Connection } from '../wire/connection.ts';
import { collected, exchangeReply, withConnection } from '../wire/exchange.ts';
import { COMMON_ID } from '../wire/tool-calls.ts';
import { apiKeyOf, baseUrlOf, watchedBy } from '../wire/vendor.ts';
import { type AnthropicClient, asHttpRefusal, createClient, refusesThinking } from './client.ts';
import { StreamReader, type WireEvent } from './from-stream.ts';
import { anthropicPriceOf } from './models.ts';
import { ANTHROPIC, type AnthropicOptions } from './options.ts';
import { betaHeaders } from './thinking.ts';
import { ANTHROPIC_NAME, fingerprint, toAnthropicRequest, toCountRequest } from './to-request.ts';

/**
 * Claude over the Messages API (https://platform.claude.com/docs/en/api/messages), or a server that
 * implements it.
 */
export function createAnthropicProvider(options: AnthropicOptions): ModelProvider {
  const refused = new Set<string>();
  return {
    name: ANTHROPIC_NAME,
    streamTurn: (turn, signal, hooks) => streamTurn(watchedBy(options, hooks), refused, turn, signal),
    listModels: (signal) => listModels(options, signal),
    countTokens: (turn, signal) => countTokens(options, refused, turn, signal),
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
    try {
      for await (const event of await send(options, connection, turn, refused)) {
        options.hooks?.onRawEvent?.(event);
        yield collected((give) => reader.read(event, give));
      }
    } catch (error) {
      throw asHttpRefusal(error);
    }
  };
  return exchangeReply({ vendor: ANTHROPIC, reader, events }, options, turn.model, signal);
}

/**
 * Sends the turn. The API refuses thinking blocks if something before them changed. Then sends the request
 * again without any of them, and leaves them out of all later requests. So Claude's next thinking belongs to
 * a conversation without them.
 */
async function send(
  options: AnthropicOptions,
  connection: Connection,
  turn: Turn,
  refused: Set<string>,
): Promise<AsyncIterable<WireEvent>> {
  const client = clientOf(options, connection);
  const create = async () => {
    const request = toAnthropicRequest(turn, refused);
    checkMessages(request);
    const { signal } = connection;
    return await client.streamMessage(request, { signal, headers: betaHeaders(request) });
  };
  return await create().catch((error: unknown) => {
    if (!refusesThinking(error) || !refuseThinking(turn, refused)) throw error;
    return create();
  });
}

/** Marks all sent thinking blocks as refused. False if all of them were refused before. */
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
  return asking(options, 'the list of models', signal, async (client, connection) => {
    const models: ModelInfo[] = [];
    const pages = client.models.list({ limit: 1000 }, { signal: connection.signal });
    for await (const { id, display_name, max_input_tokens, max_tokens } of pages) {
      const limits = { contextWindow: max_input_tokens ?? undefined, maxOutput: max_tokens ?? undefined };
      const price = anthropicPriceOf(id);
      models.push({ id, name: display_name || id, ...limits, ...(price && { price }) });
    }
    return models;
  });
}

/** https://platform.claude.com/docs/en/build-with-claude/token-counting: free, with its own rate limit. */
function countTokens(
  options: AnthropicOptions,
  refused: ReadonlySet<string>,
  turn: Turn,
  signal: AbortSignal,
): Promise<number> {
  return asking(options, turn.model, signal, async (client, connection) => {
    const request = toCountRequest(turn, refused);
    const headers = betaHeaders(request);
    const counted = await client.countTokens(request, { signal: connection.signal, headers });
    return counted.input_tokens;
  });
}

/** A request with a single response, not a stream. Rejects with `ModelFailure`. */
function asking<Result>(
  options: AnthropicOptions,
  about: string,
  signal: AbortSignal,
  ask: (client: AnthropicClient, connection: Connection) => Promise<Result>,
): Promise<Result> {
  return withConnection(ANTHROPIC, options, about, signal, async (connection) => {
    try {
      return await ask(clientOf(options, connection), connection);
    } catch (error) {
      throw asHttpRefusal(error);
    }
  });
}

function clientOf(options: AnthropicOptions, { fetch }: Connection): AnthropicClient {
  return createClient(apiKeyOf(options), baseUrlOf(options, ANTHROPIC), fetch);
}

/** Throws `ModelFailure` if the API would refuse the request. */
export function checkMessages(body: MessageCreateParamsStreaming): void {
  const tools = (body.tools ?? []).flatMap((tool) => ('name' in tool ? [tool.name] : []));
  checkRequest(ANTHROPIC.name, { pieces: piecesOf(body.messages), tools, ids: COMMON_ID, body });
}

function* piecesOf(messages: MessageCreateParamsStreaming['messages']): Generator<RequestPiece> {
  for (const { content } of messages) {
    if (content.length === 0) yield { type: 'said', isEmpty: true };
    if (typeof content === 'string') continue;
    for (const block of content) {
      if (block.type === 'tool_use') yield { type: 'call', id: block.id, name: block.name };
      else if (block.type === 'tool_result') yield { type: 'result', id: block.tool_use_id };
      else yield { type: 'said', isEmpty: block.type === 'text' && block.text.trim() === '' };
    }
  }
}
