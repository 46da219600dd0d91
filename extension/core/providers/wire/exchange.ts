// One request and its answer, from before it is sent until nothing more is wanted of it, and what went wrong in between.
import { say } from '../../../protocol/say.ts';
import { type ModelError, type ModelEvent, ModelFailure } from '../../ports/model.ts';
import { classifyBody, classifyError, DamagedStreamError, toModelError } from './classify-error.ts';
import { type Connection, openConnection } from './connection.ts';
import { contextOf, problemWith, type RequestContext, type Vendor, type WireOptions } from './vendor.ts';

/** Turns the pieces of one reply into model events. */
export interface ReplyState {
  /** Something was understood. */
  readonly started: boolean;
  /** `done` was given: nothing comes after it. */
  readonly finished: boolean;
  /** Gives what the reply has cost so far, in at most one event. Of one that is finished, nothing. */
  usage(give: Give): void;
}

/** Where a reader puts its events: a reply has many, and each generator on the way would cost more than to read one. */
export type Give = (event: ModelEvent) => void;

/** One request with its reply, however it is sent. */
export interface Exchange {
  readonly vendor: Vendor;
  readonly reader: ReplyState;
  /** What the reader made of what arrived together. It may end early when the connection's signal is aborted. */
  events(connection: Connection): AsyncIterable<readonly ModelEvent[]>;
}

/** Keeps the promises of `ModelProvider` for a stream: it never throws, ends with an abort, and tells why it broke off. */
export async function* exchangeReply(
  { vendor, reader, events }: Exchange,
  options: WireOptions,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (signal.aborted) return;
  const problem = problemWith(options, vendor);
  if (problem) {
    yield { type: 'error', error: problem };
    return;
  }
  const connection = openConnection(options, signal);
  let failure: unknown;
  try {
    for await (const read of events(connection)) {
      for (const event of read) {
        // What was read at once is not given at once: an abort may come between two events.
        if (signal.aborted) break;
        yield event;
      }
      if (reader.finished) connection.expectEnd();
      if (signal.aborted) break;
    }
  } catch (error) {
    failure = error;
  } finally {
    connection.close();
  }
  if (reader.finished) return;
  yield* collected((give) => reader.usage(give));
  // An aborted body may end without an exception.
  if (signal.aborted) return;
  yield { type: 'error', error: explain(failure, connection, reader, contextOf(options, vendor, model)) };
}

/** What a reader gives at once. */
export function collected(read: (give: Give) => void): readonly ModelEvent[] {
  const events: ModelEvent[] = [];
  read((event) => events.push(event));
  return events;
}

/** Why a stream ended before the reply did. */
function explain(
  failure: unknown,
  connection: Connection,
  { started }: ReplyState,
  context: RequestContext,
): ModelError {
  const silentMs = connection.silentMs();
  if (silentMs !== undefined) return toModelError('timeout', context, { silentMs });
  const isUnread = failure === undefined || failure instanceof DamagedStreamError;
  if (!started && isUnread) return classifyBody(connection.head(), context);
  return isUnread ? toModelError('stream_incomplete', context) : classifyError(failure, context);
}

/** Something else than a reply, over a connection of its own. Rejects with `ModelFailure`; `about` names what was asked for. */
export async function withConnection<Result>(
  vendor: Vendor,
  options: WireOptions,
  about: string,
  signal: AbortSignal,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const problem = problemWith(options, vendor);
  if (problem) throw new ModelFailure(problem);
  const connection = openConnection(options, signal);
  try {
    return await work(connection);
  } catch (error) {
    if (error instanceof ModelFailure) throw error;
    throw new ModelFailure(explainRequest(error, connection, signal, contextOf(options, vendor, about)));
  } finally {
    connection.close();
  }
}

function explainRequest(
  failure: unknown,
  connection: Connection,
  signal: AbortSignal,
  context: RequestContext,
): ModelError {
  const silentMs = connection.silentMs();
  if (silentMs !== undefined) return toModelError('timeout', context, { silentMs });
  if (!signal.aborted) return classifyError(failure, context);
  return { kind: 'network', message: say('Loading the list of models was canceled.'), retryable: false };
}
