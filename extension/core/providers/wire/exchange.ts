// One request and its answer, and the error if it fails.
import { say } from '../../../protocol/say.ts';
import { type ModelError, type ModelEvent, ModelFailure } from '../../ports/model.ts';
import { classifyBody, classifyError, DamagedStreamError, toModelError } from './classify-error.ts';
import { type Connection, openConnection } from './connection.ts';
import { contextOf, problemWith, type RequestContext, type Vendor, type WireOptions } from './vendor.ts';

/** Converts the pieces of one reply to model events. */
export interface ReplyState {
  /** The reader has understood something. */
  readonly started: boolean;
  /** `done` was emitted; no event follows. */
  readonly finished: boolean;
  /** Emits the usage of the reply so far, in at most one event. Emits nothing for a finished reply. */
  usage(give: Give): void;
}

/**
 * Receives a reader's events. A reply has many events, so passing them through generators would cost more
 * than reading them.
 */
export type Give = (event: ModelEvent) => void;

/** One request with its reply, independent of how it is sent. */
export interface Exchange {
  readonly vendor: Vendor;
  readonly reader: ReplyState;
  /**
   * The reader's events, in the batches in which their data arrived. May end early when the connection's
   * signal is aborted.
   */
  events(connection: Connection): AsyncIterable<readonly ModelEvent[]>;
}

/**
 * Makes a stream fulfill the contract of `ModelProvider`: it never throws, ends on abort, and reports why it
 * broke off.
 */
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
        // Checks the signal for each event, because an abort may come between two events of one batch.
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

/** Collects what a reader emits during one call. */
export function collected(read: (give: Give) => void): readonly ModelEvent[] {
  const events: ModelEvent[] = [];
  read((event) => events.push(event));
  return events;
}

/** Explains why a stream ended before the reply did. */
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

/**
 * Runs a request other than a turn, over its own connection. Rejects with `ModelFailure`; `about` names the
 * request.
 */
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
