import type { ModelEvent, StopReason, Turn } from '../../ports/model.ts';
import { DamagedStreamError, EmptyReplyError, ServerRefusal } from '../http/classify-error.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../http/fields.ts';
import { readServerWords, type ServerWords } from '../http/server-words.ts';
import type { ReplyReader } from '../http/stream-turn.ts';
import { parseToolInput } from '../http/tool-input.ts';
import { textOfDetails } from './reasoning-details.ts';
import { type Author, ReplyParts } from './reply-parts.ts';
import { type SortedText, ThinkTags } from './think-tags.ts';
import { toUsage, usageIn } from './token-usage.ts';
import { type OpenCall, ToolCalls } from './tool-calls.ts';

/** Any other reason says nothing: what counts is what came. */
const STOPS: Readonly<Record<string, StopReason>> = {
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'refusal',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_exceeded',
};

export interface ChatAuthor extends Author {
  readonly thinkTags: boolean;
}

/**
 * Turns the chunks of one reply into model events (platform.openai.com/docs/api-reference/chat-streaming). The calls come
 * at its end: only there is it known that they are whole.
 */
export class ChatReader implements ReplyReader {
  started = false;
  finished = false;
  readonly #parts: ReplyParts;
  readonly #calls: ToolCalls;
  readonly #tags: ThinkTags | undefined;
  #usage: Fields | undefined;
  #reason: string | undefined;
  #isRefused = false;

  constructor(turn: Turn, author: ChatAuthor) {
    this.#calls = new ToolCalls(idsIn(turn));
    this.#parts = new ReplyParts(author);
    this.#tags = author.thinkTags ? new ThinkTags() : undefined;
  }

  /** Throws `DamagedStreamError`, `ServerRefusal` or `EmptyReplyError`. */
  *read(piece: unknown): Generator<ModelEvent> {
    if (this.finished) return;
    this.started = true;
    if (piece === '[DONE]') return yield* this.#finish();
    const words = refusalIn(piece);
    if (words) throw new ServerRefusal(words);
    const chunk = fieldsOf(piece) ?? {};
    const choice = fieldsOf(listOf(chunk.choices)[0]);
    this.#usage = usageIn(chunk, choice) ?? this.#usage;
    if (!choice) return;
    yield* this.#delta(fieldsOf(choice.delta) ?? {});
    this.#end(choice.finish_reason);
  }

  /** Some servers leave `[DONE]` out; without it and without a reason the reply was cut. */
  *end(): Generator<ModelEvent> {
    if (this.finished || !this.started) return;
    if (this.#reason === undefined) throw new DamagedStreamError('the stream ended before the reply');
    yield* this.#finish();
  }

  *usage(): Generator<ModelEvent> {
    if (this.#usage && !this.finished) yield { type: 'usage', usage: toUsage(this.#usage) };
  }

  #end(reason: unknown): void {
    if (reason === 'error') throw new ServerRefusal({ text: '' });
    // An empty one stands in every chunk of some servers, and ends nothing.
    this.#reason = textOf(reason) || this.#reason;
  }

  /** Of a delta most fields are empty, and replies have many deltas: what is empty costs nothing. */
  *#delta(delta: Fields): Generator<ModelEvent> {
    const { reasoning_details: details, content, refusal, tool_calls: calls, extra_content: extra } = delta;
    // The same thought may stand in several fields.
    const thought = textOf(delta.reasoning_content) || textOf(delta.reasoning) || textOfDetails(details);
    if (thought !== '') yield* this.#parts.add('reasoning', thought);
    if (details) this.#parts.addDetails(listOf(details));
    if (content) yield* this.#content(content);
    if (refusal) yield* this.#refusal(textOf(refusal));
    if (calls) for (const fragment of listOf(calls)) yield* this.#call(fieldsOf(fragment) ?? {});
    if (extra) this.#parts.addExtra(fieldsOf(extra));
  }

  #refusal(text: string): Generator<ModelEvent> {
    this.#isRefused = true;
    return this.#parts.add('text', text);
  }

  /** A text, or parts of text and of thinking (docs.mistral.ai/inference/conversations/reasoning). */
  *#content(content: unknown): Generator<ModelEvent> {
    if (typeof content === 'string') yield* this.#text(content);
    for (const part of listOf(content)) {
      const { type, text, thinking } = fieldsOf(part) ?? {};
      if (type === 'thinking') yield* this.#parts.add('reasoning', textOfThinking(thinking));
      else yield* this.#text(textOf(text));
    }
  }

  #text(text: string): Generator<ModelEvent> {
    return this.#tags ? this.#sorted(this.#tags.sort(text)) : this.#parts.add('text', text);
  }

  *#sorted(pieces: Iterable<SortedText>): Generator<ModelEvent> {
    for (const { kind, text } of pieces) yield* this.#parts.add(kind, text);
  }

  *#call(fragment: Fields): Generator<ModelEvent> {
    yield* this.#flush();
    const call = this.#calls.add(fragment);
    yield { type: 'tool_input_delta', id: this.#calls.idOf(call), name: call.name, bytes: call.bytes };
  }

  *#flush(): Generator<ModelEvent> {
    if (this.#tags) yield* this.#sorted(this.#tags.end());
    yield* this.#parts.close();
  }

  *#finish(): Generator<ModelEvent> {
    yield* this.#flush();
    const all = this.#calls.inOrder();
    const limit = this.#limit();
    const isCut = limit === 'length' || limit === 'context_exceeded';
    const whole = all.filter((call) => !isCut || !this.#isDoubtful(call));
    const isEmpty = all.length === 0 && !this.#parts.hasText && !this.#parts.hasReasoning;
    if (isEmpty && limit === undefined) throw new EmptyReplyError();
    const cutCall = all.findLast((call) => !whole.includes(call))?.name;
    if (limit !== 'refusal') yield* whole.map((call) => this.#event(call));
    yield* this.usage();
    this.finished = true;
    const stop = limit ?? (all.length > 0 ? 'tool_calls' : 'end');
    yield { type: 'done', stop, ...(cutCall !== undefined && { cutCall }) };
  }

  #limit(): StopReason | undefined {
    if (this.#isRefused) return 'refusal';
    const reason = this.#reason ?? '';
    return Object.hasOwn(STOPS, reason) ? STOPS[reason] : undefined;
  }

  /** The limit may have fallen into its arguments. */
  #isDoubtful(call: OpenCall): boolean {
    const isBlank = call.json.trim() === '' && call === this.#calls.last();
    return isBlank || typeof parseToolInput(call.json) === 'string';
  }

  #event(call: OpenCall): ModelEvent {
    // A signature in a delta of its own belongs to the first call.
    const extra = call.extra ?? this.#parts.takeExtra();
    const opaque = extra && { opaque: this.#parts.opaque({ extra_content: extra }) };
    const input = parseToolInput(call.json);
    const [id, name] = [this.#calls.idOf(call), call.name];
    return typeof input === 'string'
      ? { type: 'tool_call', id, name, input: {}, invalid: input, ...opaque }
      : { type: 'tool_call', id, name, input, ...opaque };
  }
}

/** An error in the place of a chunk, in the shapes of OpenRouter, vLLM, LM Studio, Venice and MiniMax. */
function refusalIn(piece: unknown): ServerWords | undefined {
  const chunk = fieldsOf(Array.isArray(piece) ? piece[0] : piece) ?? {};
  const base = fieldsOf(chunk.base_resp);
  if (Number(base?.status_code) > 0)
    return { code: String(base?.status_code), text: textOf(base?.status_msg) };
  if (chunk.error) return readServerWords(chunk) ?? { text: '' };
  return Array.isArray(chunk.choices) || chunk.usage ? undefined : readServerWords(chunk);
}

function textOfThinking(thinking: unknown): string {
  return (
    textOf(thinking) ||
    listOf(thinking)
      .map((part) => textOf(fieldsOf(part)?.text))
      .join('')
  );
}

function idsIn({ messages }: Turn): string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_call' ? [block.id] : [])),
  );
}
