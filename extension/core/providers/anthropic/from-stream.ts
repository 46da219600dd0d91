import type { ModelEvent, StopReason } from '../../ports/model.ts';
import { DamagedStreamError } from '../http/classify-error.ts';
import {
  asText,
  type FinishedBlock,
  finishBlock,
  type OpenBlock,
  type WireFields,
} from './finished-block.ts';
import { TokenUsage, type WireUsage } from './token-usage.ts';

/**
 * An event of the stream, as far as it is read. The SDK's types promise more than a proxy in between has to keep.
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export interface WireEvent {
  readonly type?: unknown;
  readonly index?: unknown;
  readonly message?: { readonly usage?: WireUsage | null };
  readonly content_block?: WireFields;
  readonly delta?: WireFields;
  readonly usage?: WireUsage | null;
}

const STOPS: Readonly<Record<string, StopReason>> = {
  max_tokens: 'length',
  pause_turn: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_exceeded',
};

const encoder = new TextEncoder();

/**
 * Turns the raw events of one reply into model events. A tool call without arguments, or with arguments that cannot be
 * read, waits for the stop reason, and so do the blocks behind it: only then is it known whether the reply was cut there.
 */
export class StreamReader {
  /** An event has come, whatever it was. */
  started = false;
  /** `done` was given; nothing comes after it. */
  finished = false;
  readonly #model: string;
  readonly #usage = new TokenUsage();
  #open: OpenBlock | undefined;
  readonly #waiting: FinishedBlock[] = [];
  #calls = 0;
  #stopReason = '';

  /** `model` as it was requested. */
  constructor(model: string) {
    this.#model = model;
  }

  /** Throws `DamagedStreamError`. */
  *read(event: WireEvent): Generator<ModelEvent> {
    this.started = true;
    if (this.finished) return;
    switch (event.type) {
      case 'message_start':
        this.#usage.update(event.message?.usage);
        break;
      case 'content_block_start':
        yield* this.#start(event);
        break;
      case 'content_block_delta':
        yield* this.#delta(this.#openAt(event.index), event.delta ?? {});
        break;
      case 'content_block_stop':
        yield* this.#close(this.#openAt(event.index));
        break;
      case 'message_delta':
        this.#usage.update(event.usage);
        this.#stopReason = asText(event.delta?.stop_reason) || this.#stopReason;
        break;
      case 'message_stop':
        yield* this.#finish();
    }
  }

  /** What the reply has cost so far, in at most one event. A finished reply has told it already. */
  *usage(): Generator<ModelEvent> {
    const usage = this.#usage.of(this.#model);
    if (usage) yield { type: 'usage', usage };
  }

  *#start(event: WireEvent): Generator<ModelEvent> {
    if (this.#open) throw new DamagedStreamError('a block began inside another one');
    const wire = { ...event.content_block };
    const open = { index: event.index, wire, text: '', json: '', bytes: 0 };
    this.#open = open;
    // Compatible servers may send the whole block in its start event.
    if (wire.type === 'tool_use') yield* toolInput(open, '');
    if (wire.type === 'text') yield* appendText(open, 'text_delta', wire.text);
    if (wire.type === 'thinking') yield* appendText(open, 'reasoning_delta', wire.thinking);
  }

  *#delta(open: OpenBlock, delta: WireFields): Generator<ModelEvent> {
    const { type, ...fields } = delta;
    switch (type) {
      case 'text_delta':
        yield* appendText(open, type, fields.text);
        break;
      case 'thinking_delta':
        yield* appendText(open, 'reasoning_delta', fields.thinking);
        break;
      case 'input_json_delta':
        yield* toolInput(open, asText(fields.partial_json));
        break;
      case 'citations_delta':
        break;
      default:
        // `signature_delta`, `compaction_delta`: each field carries its final value.
        Object.assign(open.wire, fields);
    }
  }

  #openAt(index: unknown): OpenBlock {
    if (this.#open && this.#open.index === index) return this.#open;
    throw new DamagedStreamError('a part came for a block that is not open');
  }

  *#close(open: OpenBlock): Generator<ModelEvent> {
    this.#open = undefined;
    const block = finishBlock(open, this.#model);
    if (!block) return;
    if (block.event.type === 'tool_call') this.#calls++;
    if (block.doubtful || this.#waiting.length > 0) this.#waiting.push(block);
    else yield block.event;
  }

  *#finish(): Generator<ModelEvent> {
    if (this.#open) throw new DamagedStreamError('the reply ended inside a block');
    if (this.#stopReason === '') throw new DamagedStreamError('the reply ended without a reason');
    this.finished = true;
    const cutCall = this.#takeCutCall();
    if (this.#stopReason !== 'refusal') yield* this.#waiting.map(({ event }) => event);
    yield* this.usage();
    yield { type: 'done', stop: this.#stop(), ...(cutCall !== undefined && { cutCall }) };
  }

  /** Takes out the last call if the limit fell into its arguments, and names it. */
  #takeCutCall(): string | undefined {
    const last = this.#waiting.at(-1);
    const isCut = this.#stop() === 'length' || this.#stop() === 'context_exceeded';
    if (!isCut || !last?.doubtful || last.event.type !== 'tool_call') return undefined;
    this.#waiting.pop();
    return last.event.name;
  }

  /** `end_turn` and `tool_use` are not to be believed: what counts is what came. */
  #stop(): StopReason {
    const limit = Object.hasOwn(STOPS, this.#stopReason) ? STOPS[this.#stopReason] : undefined;
    return limit ?? (this.#calls > 0 ? 'tool_calls' : 'end');
  }
}

function* appendText(
  open: OpenBlock,
  type: 'text_delta' | 'reasoning_delta',
  value: unknown,
): Generator<ModelEvent> {
  const piece = asText(value);
  open.text += piece;
  if (piece !== '') yield { type, text: piece };
}

function* toolInput(open: OpenBlock, piece: string): Generator<ModelEvent> {
  open.json += piece;
  open.bytes += encoder.encode(piece).length;
  const { wire, bytes } = open;
  if (wire.type !== 'tool_use') return;
  yield { type: 'tool_input_delta', id: asText(wire.id), name: asText(wire.name), bytes };
}
