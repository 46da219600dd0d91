import { say } from '../../../protocol/say.ts';
import { type ModelEvent, ModelFailure, type Turn } from '../../ports/model.ts';
import type { WireHooks } from '../../ports/wire-hooks.ts';
import { classifyBody, DamagedStreamError, ServerRefusal, serverWordsIn } from './classify-error.ts';
import type { Connection } from './connection.ts';
import { collected, exchangeReply, type Give, type ReplyState, withConnection } from './exchange.ts';
import { parseJson } from './json.ts';
import { contextOf, type Vendor, type WireOptions, watchedBy } from './vendor.ts';

/** A request to send. Without a `body`, it is a GET. */
export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Converts the pieces of one reply to model events. */
export interface ReplyReader extends ReplyState {
  /** Throws `DamagedStreamError` or `ServerRefusal`. */
  read(piece: unknown, give: Give): void;
  /** A piece was unreadable and is left out. */
  skip?(): void;
  /** The body has ended. Emits what waited for that, including `done` if the reply was complete. */
  end(give: Give): void;
}

/** The parts that differ between providers' APIs. */
export interface Protocol {
  readonly vendor: Vendor;
  /** May first send a request of its own. Never rejects. */
  request(turn: Turn, signal: AbortSignal): HttpRequest | Promise<HttpRequest>;
  /** Throws `ModelFailure` for a request that the API would refuse. */
  check(request: HttpRequest, turn: Turn): void;
  /** The JSON pieces of the body. Those that arrived together are in one list. */
  pieces(body: AsyncIterable<Uint8Array>): AsyncIterable<readonly string[]>;
  reader(turn: Turn): ReplyReader;
  /** A corrected request after this refusal; undefined if no correction is known. */
  repair?(turn: Turn, refusal: ServerRefusal): HttpRequest | undefined;
}

/** Implements `streamTurn` of `ModelProvider`. */
export function streamTurn(
  protocol: Protocol,
  given: WireOptions,
  turn: Turn,
  signal: AbortSignal,
  hooks?: WireHooks,
): AsyncGenerator<ModelEvent> {
  const options = watchedBy(given, hooks);
  const reader = protocol.reader(turn);
  const events = (connection: Connection) => replyEvents(protocol, options, turn, connection, reader);
  return exchangeReply({ vendor: protocol.vendor, reader, events }, options, turn.model, signal);
}

/** More than one, because a server reports only one problem at a time. */
const MAX_REPAIRS = 3;

async function* replyEvents(
  protocol: Protocol,
  options: WireOptions,
  turn: Turn,
  connection: Connection,
  reader: ReplyReader,
): AsyncGenerator<readonly ModelEvent[]> {
  const response = await send(protocol, turn, connection);
  if (!response.body) return;
  const parser = new PieceParser(reader);
  for await (const pieces of protocol.pieces(response.body))
    yield* readAll(pieces, reader, parser, options.hooks);
  if (!connection.signal.aborted) yield parser.noted(collected((give) => reader.end(give)));
}

/**
 * Yields the events of these pieces as one list. If the reply is damaged, yields the events before that, then
 * throws.
 */
function* readAll(
  pieces: readonly string[],
  reader: ReplyReader,
  parser: PieceParser,
  hooks: WireHooks | undefined,
): Generator<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  const give: Give = (event) => events.push(event);
  try {
    for (const piece of pieces) {
      const event = parser.parse(piece);
      if (event === undefined) continue;
      hooks?.onRawEvent?.(event);
      reader.read(event, give);
    }
  } finally {
    yield parser.noted(events);
  }
}

async function send(protocol: Protocol, turn: Turn, connection: Connection): Promise<Response> {
  let wanted = await protocol.request(turn, connection.signal);
  for (let repairs = 0; ; repairs++) {
    try {
      protocol.check(wanted, turn);
      return await request(wanted, connection);
    } catch (error) {
      const mayRepair = error instanceof ServerRefusal && repairs < MAX_REPAIRS;
      const repaired = mayRepair ? protocol.repair?.(turn, error) : undefined;
      if (!repaired) throw error;
      wanted = repaired;
    }
  }
}

/** With more malformed pieces than that, the answer is something else than a reply. */
const MAX_SKIPPED = 10;

/** Parses the pieces of one reply, and skips those that are not JSON. */
class PieceParser {
  readonly #reader: ReplyReader;
  #skipped = 0;

  constructor(reader: ReplyReader) {
    this.#reader = reader;
  }

  /** Undefined if the piece is skipped. `[DONE]` stays a text. Throws `DamagedStreamError`. */
  parse(piece: string): unknown {
    if (piece.startsWith('[DONE]')) return '[DONE]';
    const json = parseJson(piece);
    if (json !== undefined) return json;
    this.#skipped += 1;
    if (this.#skipped > MAX_SKIPPED) throw new DamagedStreamError('many pieces of the stream are not JSON');
    this.#reader.skip?.();
    return undefined;
  }

  /** Puts a notice of what was skipped before the end of a complete reply. */
  noted(events: readonly ModelEvent[]): readonly ModelEvent[] {
    const end = events.at(-1);
    if (this.#skipped === 0 || end?.type !== 'done') return events;
    return [...events.slice(0, -1), { type: 'notice', message: SKIPPED }, end];
  }
}

const SKIPPED = say(
  'A part of the response was unreadable. Harness left it out, so words may be missing in the answer.',
);

/**
 * Does not follow a redirect, because that would send the conversation to an address that the user did not
 * choose. Rejects with `ServerRefusal`.
 */
async function request(
  { url, headers, body }: HttpRequest,
  { fetch, signal }: Pick<Connection, 'fetch' | 'signal'>,
): Promise<Response> {
  const response = await fetch(url, {
    signal,
    redirect: 'manual',
    headers: { accept: '*/*', ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (response.ok) return response;
  const { status, headers: answered } = response;
  throw new ServerRefusal(serverWordsIn(await response.text()), { status, headers: answered });
}

/**
 * The JSON answer to a request, such as a list of models. Rejects with `ModelFailure`; `about` names the
 * request.
 */
export function requestJson(
  vendor: Vendor,
  options: WireOptions,
  wanted: HttpRequest,
  about: string,
  signal: AbortSignal,
): Promise<unknown> {
  return withConnection(vendor, options, about, signal, async (connection) => {
    const response = await request(wanted, connection);
    const text = await response.text();
    const json = parseJson(text);
    if (json === undefined) {
      throw new ModelFailure(classifyBody(text, contextOf(options, vendor, about)));
    }
    return json;
  });
}
