// The last check of a conversation before it is sent. If an API refuses a conversation, it refuses every
// later request with it too.
import { say } from '../../../protocol/say.ts';
import { ModelFailure } from '../../ports/model.ts';
import { type Fields, fieldsOf, listOf, textOf } from './json.ts';
import { isWellFormed } from './unicode.ts';

/** The parts of a request in order, independent of its protocol. */
export type RequestPiece =
  | { readonly type: 'said'; readonly isEmpty: boolean }
  | { readonly type: 'call'; readonly id: string; readonly name: string }
  | { readonly type: 'result'; readonly id: string };

/** The view of a request that the check uses. */
export interface CheckedRequest {
  readonly pieces: Iterable<RequestPiece>;
  /** The names of its tools. */
  readonly tools: readonly string[];
  /** The valid form of a call's id. */
  readonly ids: RegExp;
  /** The whole request, as plain data. */
  readonly body: unknown;
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Throws `ModelFailure` if `receiver` would refuse the request. */
export function checkRequest(receiver: string, request: CheckedRequest): void {
  const fault = faultIn(request);
  if (fault === undefined) return;
  const message = say(
    'The request was not sent because {0} would reject it: {1}. Nothing is lost. Compact the conversation, or continue in a new session.',
    receiver,
    fault,
  );
  throw new ModelFailure({ kind: 'invalid_request', message, retryable: false });
}

/** In English, like the message of a server. */
function faultIn({ pieces, tools, ids, body }: CheckedRequest): string | undefined {
  return faultOfTools(tools) ?? faultOfPieces(pieces, ids) ?? faultOfText(body);
}

function faultOfTools(tools: readonly string[]): string | undefined {
  const illegal = tools.find((name) => !TOOL_NAME.test(name));
  if (illegal !== undefined) return `no tool can have the name “${illegal}”`;
  const twice = tools.find((name, index) => tools.indexOf(name) !== index);
  return twice === undefined ? undefined : `two tools have the name “${twice}”`;
}

function faultOfText(body: unknown): string | undefined {
  return isWellFormed(body) ? undefined : 'a text has half a character in it';
}

function faultOfPieces(pieces: Iterable<RequestPiece>, form: RegExp): string | undefined {
  const calls = new Calls(form);
  let any = false;
  for (const piece of pieces) {
    const fault = calls.faultOf(piece);
    if (fault !== undefined) return fault;
    any = true;
  }
  return any ? calls.faultOfOpen() : 'nothing is said in it';
}

/** Checks that each call has exactly one result, before any other message. */
class Calls {
  readonly #ids = new Set<string>();
  readonly #open = new Set<string>();
  readonly #form: RegExp;

  constructor(form: RegExp) {
    this.#form = form;
  }

  faultOf(piece: RequestPiece): string | undefined {
    switch (piece.type) {
      case 'said':
        return piece.isEmpty ? 'a message is empty' : this.faultOfOpen();
      case 'result':
        return this.#open.delete(piece.id) ? undefined : `the result of “${piece.id}” has no call before it`;
      case 'call':
        return this.#faultOfCall(piece.id, piece.name);
    }
  }

  faultOfOpen(): string | undefined {
    const [first] = this.#open;
    return first === undefined ? undefined : `the call “${first}” has no result after it`;
  }

  #faultOfCall(id: string, name: string): string | undefined {
    if (!this.#form.test(id)) return `no call can have the id “${id}”`;
    if (this.#ids.has(id)) return `two calls have the id “${id}”`;
    if (!TOOL_NAME.test(name)) return `no tool can have the name “${name}”`;
    this.#ids.add(id);
    this.#open.add(id);
    return undefined;
  }
}

/** Reads messages in the form of Chat Completions and Ollama. */
export function* piecesOfMessages(messages: readonly unknown[]): Generator<RequestPiece> {
  for (const message of messages) {
    const fields = fieldsOf(message) ?? {};
    if (fields.role === 'tool') yield { type: 'result', id: textOf(fields.tool_call_id) };
    else yield* piecesOfSaid(fields);
  }
}

function* piecesOfSaid({ content, images, tool_calls }: Fields): Generator<RequestPiece> {
  const calls = listOf(tool_calls);
  const isBlank = typeof content === 'string' ? content.trim() === '' : listOf(content).length === 0;
  yield { type: 'said', isEmpty: isBlank && calls.length === 0 && listOf(images).length === 0 };
  for (const call of calls) {
    const { id, function: called } = fieldsOf(call) ?? {};
    yield { type: 'call', id: textOf(id), name: textOf(fieldsOf(called)?.name) };
  }
}

/** Reads tools in the form of both. */
export function namesOfFunctions(tools: unknown): string[] {
  return listOf(tools).map((tool) => textOf(fieldsOf(fieldsOf(tool)?.function)?.name));
}
