import type { ModelEvent, StopReason, Usage } from '../../ports/model.ts';
import { DamagedStreamError, ServerRefusal } from '../wire/classify-error.ts';
import { readServerWords } from '../wire/error-body.ts';
import type { Give } from '../wire/exchange.ts';
import { type Fields, textOf } from '../wire/json.ts';
import type { ReplyReader } from '../wire/stream-turn.ts';
import { codexCostOf } from './models.ts';
import { asList, type FinishedItem, finishItem, isObject } from './output-item.ts';
import { OpenItem } from './streaming-item.ts';

/**
 * Converts the events of one response to model events
 * (https://platform.openai.com/docs/api-reference/responses-streaming). Items may grow in parallel; the
 * reader emits them one after the other, in the order of the output. A call that may have been cut waits
 * until something follows it, or for the end of the response.
 */
export class ResponseReader implements ReplyReader {
  /** An event of any type has arrived. */
  started = false;
  /** `done` was emitted; no event follows. */
  finished = false;
  readonly #model: string;
  /** Items that were not emitted yet, by their index. */
  readonly #items = new Map<number, OpenItem>();
  readonly #given = new Set<number>();
  readonly #ids = new Set<unknown>();
  #waiting: ModelEvent | undefined;
  #usage: CodexUsage | undefined;
  #calls = 0;
  #refused = false;

  /** `model`: the requested model. */
  constructor(model: string) {
    this.#model = model;
  }

  /** Throws `DamagedStreamError` or `ServerRefusal`. */
  read(piece: unknown, give: Give): void {
    if (this.finished || piece === '[DONE]') return;
    if (!isObject(piece)) throw new DamagedStreamError('an event is no object');
    this.started = true;
    switch (piece.type) {
      case 'response.output_item.added':
        this.#itemAt(piece)?.begin(objectOf(piece.item));
        this.#advance(give);
        break;
      case 'response.output_item.done':
        this.#finishItem(piece);
        this.#advance(give);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.#finish(objectOf(piece.response), give);
        break;
      case 'error':
      case undefined:
        throw new ServerRefusal(readServerWords(piece) ?? { text: '' });
      default:
        this.#delta(piece, give);
    }
  }

  end(): void {}

  /** Emits the usage of the response. A finished response has already emitted it. */
  usage(give: Give): void {
    const usage = this.#usage && codexUsageOf(this.#usage, this.#model);
    if (usage) give({ type: 'usage', usage });
  }

  #delta(piece: Fields, give: Give): void {
    if (!OpenItem.takes(piece.type)) return;
    const item = this.#itemAt(piece);
    if (!item) return;
    const isFirst = item === this.#first();
    if (isFirst) this.#release(give);
    if (isFirst || item.isCall) {
      item.release(give);
      item.add(piece, give);
    } else item.add(piece, item.keep);
  }

  /** Undefined if the item was already emitted. */
  #itemAt({ output_index: index }: Fields): OpenItem | undefined {
    if (typeof index !== 'number') throw new DamagedStreamError('an event does not name its place');
    if (this.#given.has(index)) return undefined;
    const known = this.#items.get(index);
    if (known) return known;
    const item = new OpenItem(index);
    this.#items.set(index, item);
    return item;
  }

  #finishItem(piece: Fields): void {
    const item = objectOf(piece.item);
    const open = this.#itemAt(piece);
    if (!open) return;
    this.#ids.add(item.id);
    open.finished = finishItem(item, this.#model);
  }

  #first(): OpenItem | undefined {
    let first: OpenItem | undefined;
    for (const item of this.#items.values()) if (!first || item.index < first.index) first = item;
    return first;
  }

  /** Emits finished items up to the first unfinished one, then the pieces of that one that have arrived. */
  #advance(give: Give): void {
    for (let item = this.#first(); item; item = this.#first()) {
      this.#release(give);
      item.release(give);
      if (!item.finished) return;
      this.#items.delete(item.index);
      this.#given.add(item.index);
      this.#give(item.finished, give);
    }
  }

  #give({ event, doubtful, refused }: FinishedItem, give: Give): void {
    this.#refused ||= refused;
    if (event?.type === 'tool_call') this.#calls++;
    if (doubtful) this.#waiting = event;
    else if (event) give(event);
  }

  #release(give: Give): void {
    if (this.#waiting) give(this.#waiting);
    this.#waiting = undefined;
  }

  #finish(response: Fields, give: Give): void {
    if (isObject(response.usage)) this.#usage = response.usage;
    const reason = isObject(response.incomplete_details) ? textOf(response.incomplete_details.reason) : '';
    if (isObject(response.error) || response.status === 'failed') {
      throw new ServerRefusal(readServerWords({ error: response.error }) ?? { text: '' });
    }
    const isCut = reason !== '' || response.status === 'incomplete';
    this.#addUnseen(response.output);
    this.#advance(give);
    if (this.#items.size > 0 && !isCut) throw new DamagedStreamError('the response ended inside an item');
    this.finished = true;
    this.#refused ||= reason === 'content_filter';
    this.#end(isCut, give);
  }

  /** Some gateways send no events for an item, or not its end, but include it in the whole response. */
  #addUnseen(output: unknown): void {
    for (const [index, item] of asList(output).entries()) {
      const isSeen = this.#given.has(index) || (item.id !== undefined && this.#ids.has(item.id));
      if (!isSeen && !this.#items.get(index)?.finished) this.#finishItem({ output_index: index, item });
    }
  }

  #end(isCut: boolean, give: Give): void {
    let cutCall: string | undefined;
    if (!this.#refused) {
      if (isCut) cutCall = this.#takeCutCall();
      this.#release(give);
      for (const item of this.#items.values()) item.giveText(give);
    }
    this.usage(give);
    give({ type: 'done', stop: this.#stop(isCut), ...(cutCall !== undefined && { cutCall }) });
  }

  /** Removes the last call if the limit cut its input, and returns its name. */
  #takeCutCall(): string | undefined {
    const open = [...this.#items.values()].find(({ isCall }) => isCall);
    if (open) return open.name;
    const last = this.#waiting;
    if (last?.type !== 'tool_call') return undefined;
    this.#waiting = undefined;
    return last.name;
  }

  #stop(isCut: boolean): StopReason {
    if (this.#refused) return 'refusal';
    if (isCut) return 'length';
    return this.#calls > 0 ? 'tool_calls' : 'end';
  }
}

function objectOf(value: unknown): Fields {
  if (isObject(value)) return value;
  throw new DamagedStreamError('an event is without what it is about');
}

/** The fields of a response's `usage` that Harness reads. */
interface CodexUsage {
  readonly input_tokens?: unknown;
  readonly input_tokens_details?: {
    readonly cached_tokens?: unknown;
    readonly cache_write_tokens?: unknown;
  } | null;
  readonly output_tokens?: unknown;
  readonly output_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
}

/**
 * The cached tokens are part of the input, and those of thinking part of the output. Undefined if the server
 * does not tell the tokens; no prompt has none.
 */
export function codexUsageOf(
  { input_tokens, input_tokens_details: read, output_tokens, output_tokens_details: written }: CodexUsage,
  model: string,
): Usage | undefined {
  const inputTokens = count(input_tokens);
  const outputTokens = count(output_tokens);
  if (!inputTokens || outputTokens === undefined) return undefined;
  const cacheReadTokens = Math.min(count(read?.cached_tokens) ?? 0, inputTokens);
  const cacheWriteTokens = Math.min(count(read?.cache_write_tokens) ?? 0, inputTokens - cacheReadTokens);
  const reasoningTokens = count(written?.reasoning_tokens);
  const cost = codexCostOf(model, {
    input: inputTokens - cacheReadTokens - cacheWriteTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
    output: outputTokens,
  });
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cost !== undefined && { cost }),
  };
}

function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
