import { say } from '../../../protocol/say.ts';
import {
  type ModelError,
  type ModelEvent,
  ModelFailure,
  type ModelInfo,
  type ModelProvider,
  type Turn,
} from '../../ports/model.ts';
import { classifyBody, classifyError, refusesThinking, toModelError } from './classify-error.ts';
import { type Connection, openConnection } from './connection.ts';
import type { RequestContext } from './error-sentence.ts';
import { StreamReader, type WireEvent } from './from-stream.ts';
import { type AnthropicOptions, contextOf, problemWith } from './options.ts';
import { fingerprint, PROVIDER, toRequest } from './to-request.ts';

/** Claude over the Messages API (https://platform.claude.com/docs/en/api/messages), or a server that speaks it. */
export function createAnthropicProvider(options: AnthropicOptions): ModelProvider {
  const refused = new Set<string>();
  return {
    name: PROVIDER,
    streamTurn: (turn, signal) => streamTurn(options, refused, turn, signal),
    listModels: (signal) => listModels(options, signal),
  };
}

async function* streamTurn(
  options: AnthropicOptions,
  refused: Set<string>,
  turn: Turn,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (signal.aborted) return;
  const problem = problemWith(options);
  if (problem) {
    yield { type: 'error', error: problem };
    return;
  }
  const reader = new StreamReader(turn.model);
  const connection = openConnection(options, signal);
  let failure: unknown;
  try {
    for await (const event of await send(connection, turn, refused)) {
      yield* whileWanted(reader.read(event), signal);
      if (reader.finished) connection.expectEnd();
      if (signal.aborted) break;
    }
  } catch (error) {
    failure = error;
  } finally {
    connection.close();
  }
  if (reader.finished) return;
  yield* reader.usage();
  // Also after an abort and at an early end of the body the SDK ends the iteration without an exception.
  if (signal.aborted) return;
  yield { type: 'error', error: explain(failure, connection, reader, contextOf(options, turn.model)) };
}

/** What was read at once is not given at once: an abort may come between two events. */
function* whileWanted(events: Iterable<ModelEvent>, signal: AbortSignal): Generator<ModelEvent> {
  for (const event of events) {
    if (signal.aborted) return;
    yield event;
  }
}

/**
 * Sends the turn. Thinking blocks that the API does not take back (something before them was changed) are left out of
 * this request and of all later ones: what Claude thinks from here on is then bound to a conversation without them.
 */
async function send(
  { client, signal }: Connection,
  turn: Turn,
  refused: Set<string>,
): Promise<AsyncIterable<WireEvent>> {
  const create = async () => {
    const stream = await client.messages.create(toRequest(turn, refused), { signal });
    // The same parsed JSON, of which a WireEvent takes less for granted.
    return stream as AsyncIterable<WireEvent>;
  };
  try {
    return await create();
  } catch (error) {
    if (!refusesThinking(error) || !refuseThinking(turn, refused)) throw error;
    return await create();
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

/** Why a stream ended before the reply did. */
function explain(
  failure: unknown,
  connection: Connection,
  reader: StreamReader,
  context: RequestContext,
): ModelError {
  const silentMs = connection.silentMs();
  if (silentMs !== undefined) return toModelError('timeout', context, { silentMs });
  if (failure !== undefined) return classifyError(failure, context);
  return reader.started
    ? toModelError('stream_incomplete', context)
    : classifyBody(connection.head(), context);
}

async function listModels(options: AnthropicOptions, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const problem = problemWith(options);
  if (problem) throw new ModelFailure(problem);
  const connection = openConnection(options, signal);
  try {
    const models: ModelInfo[] = [];
    const pages = connection.client.models.list({ limit: 1000 }, { signal: connection.signal });
    for await (const { id, display_name, max_input_tokens, max_tokens } of pages) {
      const limits = { contextWindow: max_input_tokens ?? undefined, maxOutput: max_tokens ?? undefined };
      models.push({ id, name: display_name || id, ...limits });
    }
    return models;
  } catch (error) {
    throw new ModelFailure(explainList(error, connection, contextOf(options, 'the list of models')));
  } finally {
    connection.close();
  }
}

function explainList(failure: unknown, connection: Connection, context: RequestContext): ModelError {
  const silentMs = connection.silentMs();
  if (silentMs !== undefined) return toModelError('timeout', context, { silentMs });
  if (!connection.signal.aborted) return classifyError(failure, context);
  return { kind: 'network', message: say('The list of models was not loaded: cancelled.'), retryable: false };
}
