import { say } from '../../../protocol/say.ts';
import {
  type AssistantBlock,
  type ModelEvent,
  ModelFailure,
  type StopReason,
  type Turn,
  type UserBlock,
} from '../../ports/model.ts';
import { DamagedStreamError, ServerRefusal } from '../wire/classify-error.ts';
import { readServerWords } from '../wire/error-body.ts';
import type { Give } from '../wire/exchange.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../wire/json.ts';
import type { ReplyReader } from '../wire/stream-turn.ts';
import { parseToolInput } from '../wire/tool-calls.ts';
import type { ModelFacts } from './model-facts.ts';
import { OLLAMA_NAME } from './options.ts';

/** A line of the reply, with its message: https://docs.ollama.com/api/chat */
interface WireLine {
  readonly line: Fields;
  readonly message: Fields;
}

type CallEvent = Extract<ModelEvent, { type: 'tool_call' }>;

/** A text or thinking block that is still growing. */
interface OpenBlock {
  readonly type: 'text' | 'reasoning';
  text: string;
}

/**
 * Converts the lines of one reply to model events. Calls arrive whole, but wait for the last line: a reply
 * that was cut off must have none.
 */
export class OllamaReader implements ReplyReader {
  started = false;
  finished = false;
  readonly #turn: Turn;
  readonly #facts: () => ModelFacts;
  readonly #calls: CallEvent[] = [];
  #open: OpenBlock | undefined;
  #isEmpty = true;
  #characters = 0;

  /** Calls `facts` only after the reply has begun. */
  constructor(turn: Turn, facts: () => ModelFacts) {
    this.#turn = turn;
    this.#facts = facts;
  }

  read(piece: unknown, give: Give): void {
    if (this.finished) return;
    const { line, message } = toLine(piece);
    this.started = true;
    this.#append('reasoning', textOf(message.thinking), give);
    this.#append('text', textOf(message.content), give);
    for (const call of listOf(message.tool_calls)) this.#add(call);
    if (line.done === true) this.#finish(line, give);
  }

  end(): void {}

  /** Only the last line has the usage. */
  usage(): void {}

  #append(type: OpenBlock['type'], piece: string, give: Give): void {
    if (piece === '') return;
    if (this.#open?.type !== type) {
      this.#close(give);
      this.#open = { type, text: '' };
    }
    this.#open.text += piece;
    this.#characters += piece.length;
    give({ type: type === 'text' ? 'text_delta' : 'reasoning_delta', text: piece });
  }

  #close(give: Give): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open || open.text.trim() === '') return;
    this.#isEmpty = false;
    const opaque = { provider: OLLAMA_NAME, model: this.#turn.model, data: {} };
    if (open.type === 'text') give({ type: open.type, text: open.text });
    else give({ type: open.type, text: open.text, opaque });
  }

  /** Older servers send no ids, and proxies send the arguments as a text. */
  #add(call: unknown): void {
    const { id, function: called } = fieldsOf(call) ?? {};
    const { name, arguments: written } = fieldsOf(called) ?? {};
    if (typeof name !== 'string') throw new DamagedStreamError('a tool call came without a name');
    const input = parseToolInput(typeof written === 'string' ? written : JSON.stringify(written ?? {}));
    const identity = { id: textOf(id) || `call_${this.#turn.messages.length}_${this.#calls.length}`, name };
    this.#calls.push({
      type: 'tool_call',
      ...identity,
      ...(typeof input === 'string' ? { input: {}, invalid: input } : { input }),
    });
  }

  #finish(line: Fields, give: Give): void {
    this.#close(give);
    const stop = this.#stop(line.done_reason);
    if (this.#isEmpty && stop === 'end') throw this.#nothing();
    const promptTokens = count(line.prompt_eval_count);
    if (promptTokens !== undefined && isPromptCut(this.#turn, promptTokens)) throw this.#cut(promptTokens);
    this.finished = true;
    for (const call of this.#calls) give(call);
    this.#usage(promptTokens, count(line.eval_count), give);
    give({ type: 'done', stop });
  }

  /** Estimates a missing counter. A server may leave it out for a prompt that was in its cache. */
  #usage(promptTokens: number | undefined, outputTokens: number | undefined, give: Give): void {
    if (promptTokens === undefined && outputTokens === undefined) return;
    give({
      type: 'usage',
      usage: {
        inputTokens: promptTokens ?? tokensOf(this.#turn),
        outputTokens: outputTokens ?? this.#writtenTokens(),
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        ...((promptTokens === undefined || outputTokens === undefined) && { estimated: true }),
        ...(!this.#facts().isRemote && { cost: 0 }),
      },
    });
  }

  /** Estimates the tokens of the reply. */
  #writtenTokens(): number {
    const called = this.#calls.reduce((sum, { input }) => sum + lengthsIn(input), 0);
    return Math.ceil((this.#characters + called) / CHARACTERS_PER_TOKEN);
  }

  /** The server also sends `stop` for a reply with calls, so the calls that arrived decide. */
  #stop(reason: unknown): StopReason {
    if (reason === 'length') return 'length';
    return this.#calls.length > 0 ? 'tool_calls' : 'end';
  }

  /** The error for an empty reply: the reason is `load` or `unload`, or the model wrote nothing. */
  #nothing(): ModelFailure {
    const message = say('“{0}” returned an empty response.', this.#turn.model);
    return new ModelFailure({ kind: 'empty_response', message, retryable: true });
  }

  #cut(promptTokens: number): ModelFailure {
    const message = say(
      'Ollama cut off the start of the conversation: “{0}” read {1} of about {2} tokens. Update Ollama to use a window of {3} tokens, or start a new session.',
      this.#turn.model,
      promptTokens,
      tokensOf(this.#turn),
      this.#facts().window,
    );
    return new ModelFailure({ kind: 'context_overflow', message, retryable: false });
  }
}

/** Throws `ServerRefusal` if the line is an error. */
function toLine(piece: unknown): WireLine {
  const line = fieldsOf(piece);
  if (!line) throw new DamagedStreamError('a line is not an object');
  const words = 'error' in line ? readServerWords(line) : undefined;
  if (words) throw new ServerRefusal(words);
  return { line, message: fieldsOf(line.message) ?? {} };
}

function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}

/** The average for prose and code. */
const CHARACTERS_PER_TOKEN = 4;
/** An upper bound: no conversation has longer tokens on average. */
const LONGEST_TOKENS = 8;
/** In tokens. No server has ever used a smaller window. */
const SMALLEST_WINDOW = 2048;

/** Estimates the tokens of the prompt, without images. */
export function tokensOf(turn: Turn): number {
  return Math.ceil(charactersOf(turn) / CHARACTERS_PER_TOKEN);
}

/**
 * The server read so few tokens that it must have dropped a part of the prompt. Older servers do so despite
 * `truncate: false`, and report nothing.
 */
export function isPromptCut(turn: Turn, promptTokens: number): boolean {
  const characters = charactersOf(turn);
  if (characters < SMALLEST_WINDOW * CHARACTERS_PER_TOKEN) return false;
  return characters > promptTokens * LONGEST_TOKENS;
}

function charactersOf({ system, messages }: Turn): number {
  let characters = system.length;
  for (const { content } of messages) for (const block of content) characters += lengthOf(block);
  return characters;
}

function lengthOf(block: UserBlock | AssistantBlock): number {
  switch (block.type) {
    case 'text':
    case 'context':
      return block.text.length;
    case 'tool_result':
      return block.content.length;
    case 'tool_call':
      return lengthsIn(block.input);
    default:
      return 0;
  }
}

/** Counts the texts in a tool's arguments, which are most of their length. */
function lengthsIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + lengthsIn(inner), 0);
}
