// The last look at a conversation before it is sent: one that an API would refuse is refused with every later request too.
import { say } from '../../../protocol/say.ts';
import { ModelFailure } from '../../ports/model.ts';
import { type Fields, fieldsOf, listOf, textOf } from './json.ts';
import { isWellFormed } from './unicode.ts';

/** What a request says, in its order, however its protocol writes it. */
export type Piece =
  | { readonly type: 'said'; readonly isEmpty: boolean }
  | { readonly type: 'call'; readonly id: string; readonly name: string }
  | { readonly type: 'result'; readonly id: string };

/** A request as the check sees it. */
export interface CheckedRequest {
  readonly pieces: Iterable<Piece>;
  /** Names of its tools. */
  readonly tools: readonly string[];
  /** The form of a call's id. */
  readonly ids: RegExp;
  /** All of it, as plain data. */
  readonly body: unknown;
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Throws `ModelFailure` where `receiver` would refuse it. */
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

/** In English, as a server would say it. */
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

function faultOfPieces(pieces: Iterable<Piece>, form: RegExp): string | undefined {
  const calls = new Calls(form);
  let any = false;
  for (const piece of pieces) {
    const fault = calls.faultOf(piece);
    if (fault !== undefined) return fault;
    any = true;
  }
  return any ? calls.faultOfOpen() : 'nothing is said in it';
}

/** Each call has exactly one result, before anything else is said. */
class Calls {
  readonly #ids = new Set<string>();
  readonly #open = new Set<string>();
  readonly #form: RegExp;

  constructor(form: RegExp) {
    this.#form = form;
  }

  faultOf(piece: Piece): string | undefined {
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
    return first === undefined ? undefined : `the call “${first}” has no result behind it`;
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

/** Of messages as Chat Completions and Ollama write them. */
export function* piecesOfMessages(messages: readonly unknown[]): Generator<Piece> {
  for (const message of messages) {
    const fields = fieldsOf(message) ?? {};
    if (fields.role === 'tool') yield { type: 'result', id: textOf(fields.tool_call_id) };
    else yield* piecesOfSaid(fields);
  }
}

function* piecesOfSaid({ content, images, tool_calls }: Fields): Generator<Piece> {
  const calls = listOf(tool_calls);
  const isBlank = typeof content === 'string' ? content.trim() === '' : listOf(content).length === 0;
  yield { type: 'said', isEmpty: isBlank && calls.length === 0 && listOf(images).length === 0 };
  for (const call of calls) {
    const { id, function: called } = fieldsOf(call) ?? {};
    yield { type: 'call', id: textOf(id), name: textOf(fieldsOf(called)?.name) };
  }
}

/** Of tools as both write them. */
export function namesOfFunctions(tools: unknown): string[] {
  return listOf(tools).map((tool) => textOf(fieldsOf(fieldsOf(tool)?.function)?.name));
}
