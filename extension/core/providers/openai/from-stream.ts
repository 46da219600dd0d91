import type { ModelEvent, StopReason, Turn, Usage } from '../../ports/model.ts';
import { DamagedStreamError, EmptyReplyError, ServerRefusal } from '../wire/classify-error.ts';
import { readServerWords, type ServerWords } from '../wire/error-body.ts';
import type { Give } from '../wire/exchange.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../wire/json.ts';
import type { ReplyReader } from '../wire/stream-turn.ts';
import { parseToolInput } from '../wire/tool-calls.ts';
import { serverData, textOfDetails } from './reasoning-details.ts';
import { type ReplyAuthor, ReplyParts } from './reply-parts.ts';
import { type SortedText, ThinkTags } from './think-tags.ts';
import { type OpenCall, ToolCalls } from './tool-calls.ts';

/** For any other reason, the parts that arrived decide. */
const STOPS: Readonly<Record<string, StopReason>> = {
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'refusal',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_exceeded',
};

export interface ChatAuthor extends ReplyAuthor {
  readonly thinkTags: boolean;
}

/**
 * Converts the chunks of one reply to model events (platform.openai.com/docs/api-reference/chat-streaming).
 * Emits the calls at the end, because only then they are known to be complete.
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
  #hasGap = false;

  constructor(turn: Turn, author: ChatAuthor) {
    this.#calls = new ToolCalls(idsIn(turn));
    this.#parts = new ReplyParts(author);
    this.#tags = author.thinkTags ? new ThinkTags() : undefined;
  }

  /** Throws `DamagedStreamError`, `ServerRefusal` or `EmptyReplyError`. */
  read(piece: unknown, give: Give): void {
    if (this.finished) return;
    this.started = true;
    if (piece === '[DONE]') this.#finish(give);
    else this.#chunk(piece, give);
  }

  skip(): void {
    this.#hasGap = true;
  }

  #chunk(piece: unknown, give: Give): void {
    const words = refusalIn(piece);
    if (words) throw new ServerRefusal(words);
    const chunk = fieldsOf(piece) ?? {};
    const choice = fieldsOf(listOf(chunk.choices)[0]);
    this.#usage = usageIn(chunk, choice) ?? this.#usage;
    if (!choice) return;
    this.#delta(fieldsOf(choice.delta) ?? {}, give);
    this.#end(choice.finish_reason);
  }

  /** Some servers omit `[DONE]`. Without it and without a reason, the reply was cut. */
  end(give: Give): void {
    if (this.finished || !this.started) return;
    if (this.#reason === undefined) throw new DamagedStreamError('the stream ended before the reply');
    this.#finish(give);
  }

  usage(give: Give): void {
    const usage = this.#usage && !this.finished ? chatUsageOf(this.#usage) : undefined;
    if (usage) give({ type: 'usage', usage });
  }

  #end(reason: unknown): void {
    if (reason === 'error') throw new ServerRefusal({ text: '' });
    // Some servers send an empty reason in every chunk.
    this.#reason = textOf(reason) || this.#reason;
  }

  /** Skips empty fields cheaply, because a reply has many deltas and most of their fields are empty. */
  #delta(delta: Fields, give: Give): void {
    const { reasoning_details: details, content, refusal, tool_calls: calls } = delta;
    // Several fields may have the same thinking.
    const thought = textOf(delta.reasoning_content) || textOf(delta.reasoning) || textOfDetails(details);
    if (thought !== '') this.#parts.add('reasoning', thought, give);
    if (details) this.#parts.addDetails(listOf(details));
    if (content) this.#content(content, give);
    if (refusal) this.#refusal(textOf(refusal), give);
    if (calls) for (const fragment of listOf(calls)) this.#call(fieldsOf(fragment) ?? {}, give);
    this.#parts.addData(serverData(delta));
  }

  #refusal(text: string, give: Give): void {
    this.#isRefused = true;
    this.#parts.add('text', text, give);
  }

  /** A text, or parts of text and thinking (docs.mistral.ai/inference/conversations/reasoning). */
  #content(content: unknown, give: Give): void {
    if (typeof content === 'string') this.#text(content, give);
    for (const part of listOf(content)) {
      const { type, text, thinking } = fieldsOf(part) ?? {};
      if (type === 'thinking') this.#parts.add('reasoning', textOfThinking(thinking), give);
      else this.#text(textOf(text), give);
    }
  }

  #text(text: string, give: Give): void {
    if (this.#tags) this.#sorted(this.#tags.sort(text), give);
    else this.#parts.add('text', text, give);
  }

  #sorted(pieces: Iterable<SortedText>, give: Give): void {
    for (const { kind, text } of pieces) this.#parts.add(kind, text, give);
  }

  #call(fragment: Fields, give: Give): void {
    this.#flush(give);
    const call = this.#calls.add(fragment);
    give({ type: 'tool_input_delta', id: this.#calls.idOf(call), name: call.name, bytes: call.bytes });
  }

  #flush(give: Give): void {
    if (this.#tags) this.#sorted(this.#tags.end(), give);
    this.#parts.close(give);
  }

  #finish(give: Give): void {
    this.#flush(give);
    const all = this.#calls.inOrder();
    // What is missing may be a part of the arguments, even if the rest is JSON.
    const isCalling = all.length > 0 || this.#reason === 'tool_calls';
    if (this.#hasGap && isCalling) throw new DamagedStreamError('a part of a call may be missing');
    const limit = this.#limit();
    const isCut = limit === 'length' || limit === 'context_exceeded';
    const whole = all.filter((call) => !isCut || !this.#isDoubtful(call));
    const isEmpty = all.length === 0 && !this.#parts.hasText && !this.#parts.hasReasoning;
    if (isEmpty && limit === undefined) throw new EmptyReplyError();
    const cutCall = all.findLast((call) => !whole.includes(call))?.name;
    if (limit !== 'refusal') for (const call of whole) give(this.#event(call));
    this.usage(give);
    this.finished = true;
    const stop = limit ?? (all.length > 0 ? 'tool_calls' : 'end');
    give({ type: 'done', stop, ...(cutCall !== undefined && { cutCall }) });
  }

  #limit(): StopReason | undefined {
    if (this.#isRefused) return 'refusal';
    const reason = this.#reason ?? '';
    return Object.hasOwn(STOPS, reason) ? STOPS[reason] : undefined;
  }

  /** The limit may have cut its arguments. */
  #isDoubtful(call: OpenCall): boolean {
    const isBlank = call.json.trim() === '' && call === this.#calls.last();
    return isBlank || typeof parseToolInput(call.json) === 'string';
  }

  #event(call: OpenCall): ModelEvent {
    // A signature in a separate delta belongs to the first call.
    const data = call.data ?? this.#parts.takeData();
    const opaque = data && { opaque: this.#parts.opaque(data) };
    const input = parseToolInput(call.json);
    const [id, name] = [this.#calls.idOf(call), call.name];
    return typeof input === 'string'
      ? { type: 'tool_call', id, name, input: {}, invalid: input, ...opaque }
      : { type: 'tool_call', id, name, input, ...opaque };
  }
}

/** An error in place of a chunk, in the forms of OpenRouter, vLLM, LM Studio, Venice and MiniMax. */
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

/** The usage in a chunk, in its choice (Moonshot), or in Groq's extension. */
export function usageIn(chunk: Fields, choice: Fields | undefined): Fields | undefined {
  return fieldsOf(chunk.usage) ?? fieldsOf(choice?.usage) ?? fieldsOf(fieldsOf(chunk.x_groq)?.usage);
}

/**
 * Cached tokens count as part of the prompt, and reasoning tokens as part of the reply, even if a server
 * counts them apart. Undefined if the server does not tell the tokens; no prompt has none.
 */
export function chatUsageOf(wire: Fields): Usage | undefined {
  const prompt = fieldsOf(wire.prompt_tokens_details);
  const completion = fieldsOf(wire.completion_tokens_details);
  const input = count(wire.prompt_tokens);
  const total = count(wire.total_tokens);
  const output = count(wire.completion_tokens) ?? (total === undefined ? undefined : 0);
  if (!input || output === undefined) return undefined;
  const reasoningTokens = count(completion?.reasoning_tokens);
  return {
    inputTokens: input,
    // xAI and Gemini leave reasoning out of `completion_tokens`, but include it in the total.
    outputTokens: Math.max(output, (total ?? 0) - input),
    cacheReadTokens:
      count(prompt?.cached_tokens) ?? count(wire.prompt_cache_hit_tokens) ?? count(wire.cached_tokens) ?? 0,
    cacheWriteTokens: count(prompt?.cache_write_tokens) ?? 0,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(typeof wire.cost === 'number' && wire.cost >= 0 && { cost: wire.cost }),
  };
}

function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
