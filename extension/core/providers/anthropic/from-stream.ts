import type { StopReason, Usage } from '../../ports/model.ts';
import { DamagedStreamError } from '../wire/classify-error.ts';
import type { Give } from '../wire/exchange.ts';
import { type Fields, textOf } from '../wire/json.ts';
import { utf8Length } from '../wire/unicode.ts';
import { type FinishedBlock, finishBlock, type OpenBlock } from './content-block.ts';
import { anthropicCostOf } from './models.ts';

/**
 * An event of the stream, with the fields that Harness reads. The SDK's types promise more than a proxy may
 * send. https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export interface WireEvent {
  readonly type?: unknown;
  readonly index?: unknown;
  readonly message?: { readonly usage?: AnthropicUsage | null };
  readonly content_block?: Fields;
  readonly delta?: Fields;
  readonly usage?: AnthropicUsage | null;
}

const STOPS: Readonly<Record<string, StopReason>> = {
  max_tokens: 'length',
  pause_turn: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_exceeded',
};

/**
 * Converts the raw events of one reply to model events. A tool call with missing or unreadable arguments
 * waits for the stop reason, which shows whether the reply was cut there. The blocks after it wait too.
 */
export class StreamReader {
  /** An event of any type has arrived. */
  started = false;
  /** `done` was emitted; no event follows. */
  finished = false;
  readonly #model: string;
  readonly #usage = new TokenUsage();
  #open: OpenBlock | undefined;
  readonly #waiting: FinishedBlock[] = [];
  #calls = 0;
  #stopReason = '';

  /** `model`: the requested model. */
  constructor(model: string) {
    this.#model = model;
  }

  /** Throws `DamagedStreamError`. */
  read(event: WireEvent, give: Give): void {
    this.started = true;
    if (this.finished) return;
    switch (event.type) {
      case 'message_start':
        this.#usage.update(event.message?.usage);
        break;
      case 'content_block_start':
        this.#start(event, give);
        break;
      case 'content_block_delta':
        this.#delta(this.#openAt(event.index), event.delta ?? {}, give);
        break;
      case 'content_block_stop':
        this.#close(this.#openAt(event.index), give);
        break;
      case 'message_delta':
        this.#usage.update(event.usage);
        this.#stopReason = textOf(event.delta?.stop_reason) || this.#stopReason;
        break;
      case 'message_stop':
        this.#finish(give);
    }
  }

  /** Emits the usage of the reply so far, in at most one event. A finished reply has already emitted it. */
  usage(give: Give): void {
    const usage = this.#usage.of(this.#model);
    if (usage) give({ type: 'usage', usage });
  }

  #start(event: WireEvent, give: Give): void {
    if (this.#open) throw new DamagedStreamError('a block began inside another one');
    const wire = { ...event.content_block };
    const open = { index: event.index, wire, text: '', json: '', bytes: 0 };
    this.#open = open;
    // Compatible servers may send the whole block in its start event.
    if (wire.type === 'tool_use') toolInput(open, '', give);
    if (wire.type === 'text') appendText(open, 'text_delta', wire.text, give);
    if (wire.type === 'thinking') appendText(open, 'reasoning_delta', wire.thinking, give);
  }

  #delta(open: OpenBlock, delta: Fields, give: Give): void {
    switch (delta.type) {
      case 'text_delta':
        appendText(open, delta.type, delta.text, give);
        break;
      case 'thinking_delta':
        appendText(open, 'reasoning_delta', delta.thinking, give);
        break;
      case 'input_json_delta':
        toolInput(open, textOf(delta.partial_json), give);
        break;
      case 'citations_delta':
        break;
      default:
        takeFields(open, delta);
    }
  }

  #openAt(index: unknown): OpenBlock {
    if (this.#open && this.#open.index === index) return this.#open;
    throw new DamagedStreamError('a part came for a block that is not open');
  }

  #close(open: OpenBlock, give: Give): void {
    this.#open = undefined;
    const block = finishBlock(open, this.#model);
    if (!block) return;
    if (block.event.type === 'tool_call') this.#calls++;
    if (block.doubtful || this.#waiting.length > 0) this.#waiting.push(block);
    else give(block.event);
  }

  #finish(give: Give): void {
    if (this.#open) throw new DamagedStreamError('the reply ended inside a block');
    if (this.#stopReason === '') throw new DamagedStreamError('the reply ended without a reason');
    this.finished = true;
    const cutCall = this.#takeCutCall();
    if (this.#stopReason !== 'refusal') for (const { event } of this.#waiting) give(event);
    this.usage(give);
    give({ type: 'done', stop: this.#stop(), ...(cutCall !== undefined && { cutCall }) });
  }

  /** Removes the last call if the limit cut its arguments, and returns its name. */
  #takeCutCall(): string | undefined {
    const last = this.#waiting.at(-1);
    const isCut = this.#stop() === 'length' || this.#stop() === 'context_exceeded';
    if (!isCut || !last?.doubtful || last.event.type !== 'tool_call') return undefined;
    this.#waiting.pop();
    return last.event.name;
  }

  /** Ignores `end_turn` and `tool_use`: the blocks that arrived decide. */
  #stop(): StopReason {
    const limit = Object.hasOwn(STOPS, this.#stopReason) ? STOPS[this.#stopReason] : undefined;
    return limit ?? (this.#calls > 0 ? 'tool_calls' : 'end');
  }
}

function appendText(
  open: OpenBlock,
  type: 'text_delta' | 'reasoning_delta',
  value: unknown,
  give: Give,
): void {
  const piece = textOf(value);
  open.text += piece;
  if (piece !== '') give({ type, text: piece });
}

function toolInput(open: OpenBlock, piece: string, give: Give): void {
  open.json += piece;
  open.bytes += utf8Length(piece);
  const { wire, bytes } = open;
  if (wire.type !== 'tool_use') return;
  give({ type: 'tool_input_delta', id: textOf(wire.id), name: textOf(wire.name), bytes });
}

/** `signature_delta`, `compaction_delta`: each field carries its final value. */
function takeFields(open: OpenBlock, { type: _, ...fields }: Fields): void {
  Object.assign(open.wire, fields);
}

/** The fields of `usage` in `message_start` and `message_delta` that Harness reads. */
interface AnthropicUsage {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly cache_read_input_tokens?: unknown;
  readonly cache_creation_input_tokens?: unknown;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: unknown } | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: unknown } | null;
}

/** Counts are cumulative and may be null. The last number of each is valid, and nothing is added up. */
export class TokenUsage {
  #input: number | undefined;
  #output: number | undefined;
  #thinking: number | undefined;
  #cacheRead = 0;
  #cacheWrite = 0;
  #cacheWrite1h = 0;

  update(usage: AnthropicUsage | null | undefined): void {
    if (!usage) return;
    this.#input = count(usage.input_tokens, this.#input);
    this.#output = count(usage.output_tokens, this.#output);
    this.#thinking = count(usage.output_tokens_details?.thinking_tokens, this.#thinking);
    this.#cacheRead = count(usage.cache_read_input_tokens, this.#cacheRead);
    this.#cacheWrite = count(usage.cache_creation_input_tokens, this.#cacheWrite);
    this.#cacheWrite1h = count(usage.cache_creation?.ephemeral_1h_input_tokens, this.#cacheWrite1h);
  }

  /** Undefined unless the server reports the tokens of prompt and reply; no prompt has none. */
  of(model: string): Usage | undefined {
    const input = this.#input ?? 0;
    const inputTokens = input + this.#cacheRead + this.#cacheWrite;
    const outputTokens = this.#output;
    if (inputTokens === 0 || outputTokens === undefined) return undefined;
    const cost = this.#cost(model, input, outputTokens);
    return {
      inputTokens,
      outputTokens,
      cacheReadTokens: this.#cacheRead,
      cacheWriteTokens: this.#cacheWrite,
      ...(this.#thinking !== undefined && { reasoningTokens: this.#thinking }),
      ...(cost !== undefined && { cost }),
    };
  }

  #cost(model: string, input: number, output: number): number | undefined {
    const cacheWrite1h = Math.min(this.#cacheWrite1h, this.#cacheWrite);
    return anthropicCostOf(model, {
      input,
      output,
      cacheRead: this.#cacheRead,
      cacheWrite5m: this.#cacheWrite - cacheWrite1h,
      cacheWrite1h,
    });
  }
}

function count<Otherwise>(value: unknown, otherwise: Otherwise): number | Otherwise {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : otherwise;
}
