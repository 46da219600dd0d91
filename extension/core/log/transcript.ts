// The fold from events to the messages of the next request.
import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import {
  type AssistantBlock,
  IMAGE_TYPES,
  type ImageBlock,
  type Message,
  type UserBlock,
} from '../ports/model.ts';
import { renderResult } from '../rendering/render-result.ts';

const SUMMARY =
  'The conversation so far was taken out to make room. This is a summary of it, which you wrote; files may have changed since, so read them again before you edit them.';

const LOST = JSON.stringify({ error: 'the result is no longer in the log of this session' });

/**
 * Provider-neutral history, valid at every moment. Each tool call of a completed reply is followed by its
 * result. No message is empty. What a discarded, refused or cut-off reply left behind is not in it. It grows
 * only at its end, with two exceptions: a refused prompt is taken back, and a compaction replaces everything
 * with a summary. Any event may be missing from the log.
 */
export class Transcript {
  readonly #messages: Message[] = [];
  #reply: AssistantBlock[] | undefined;
  /** Calls without a result, by id: of the open reply or, after it is completed, of the last one. */
  #calls = new Map<string, EventOf<'tool_call'>>();
  #cwd = '';
  /** Remarks that came while a call was open. The model reads them after the results. */
  #held: string[] = [];
  #runStart = 0;
  #isRunning = false;
  readonly #isContinuation: boolean;

  /** `isContinuation`: messages that are not in this transcript come before it. */
  constructor({ isContinuation = false } = {}) {
    this.#isContinuation = isContinuation;
  }

  /** Events must come in the order of the log. */
  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'session_started':
      case 'imported':
        this.#cwd = event.cwd;
        break;
      case 'user':
        this.#settle();
        // A prompt in the middle of a run belongs to that run.
        if (!this.#isRunning) this.#runStart = this.#messages.length;
        for (const block of promptBlocks(event)) this.#user(block);
        break;
      case 'context':
        this.#settle();
        this.#context({ type: 'context', kind: event.kind, text: event.text });
        break;
      case 'turn_started':
        this.#isRunning = true;
        break;
      case 'turn_ended':
        this.#isRunning = false;
        this.#remark(event.toModel);
        break;
      case 'compaction':
        this.#compact(event.summary);
        break;
      case 'notice':
        this.#remark(event.toModel);
        break;
      case 'request_started':
        this.#settle();
        this.#reply = [];
        this.#calls = new Map();
        break;
      case 'text':
        this.#reply?.push({
          type: 'text',
          text: event.content,
          ...(event.preamble && { preamble: true }),
          ...(event.opaque && { opaque: event.opaque }),
        });
        break;
      case 'reasoning':
        this.#reply?.push({ type: 'reasoning', text: event.content, opaque: event.opaque });
        break;
      case 'provider_block':
        this.#reply?.push({ type: 'provider_block', opaque: event.opaque });
        break;
      case 'tool_call':
        // The beginning of the call's reply is no longer in the log.
        if (!this.#reply) break;
        this.#calls.set(event.id, event);
        this.#reply.push({
          type: 'tool_call',
          id: event.id,
          name: event.name,
          input: event.input,
          ...(event.opaque && { opaque: event.opaque }),
        });
        break;
      case 'tool_result':
        this.#result(event);
        break;
      case 'request_ended':
        this.#end(event.outcome);
        this.#addHeld();
    }
  }

  /** The workspace folder. */
  get cwd(): string {
    return this.#cwd;
  }

  /** The same array each time. The caller must not keep it across events. */
  messages(): readonly Message[] {
    return this.#messages;
  }

  /** A request can be sent, because the last message is not the model's own. */
  endsWithUser(): boolean {
    return this.#messages.at(-1)?.role === 'user';
  }

  /** There is more than prompts and a summary. */
  hasAnswer(): boolean {
    return this.#messages.some(({ role }) => role === 'assistant');
  }

  #compact(summary: string): void {
    this.#messages.length = 0;
    this.#messages.push({ role: 'user', content: [{ type: 'text', text: `${SUMMARY}\n\n${summary}` }] });
    this.#runStart = this.#messages.length;
  }

  #result(event: EventOf<'tool_result'>): void {
    // Results that come while the reply is still open belong to calls that will never be sent.
    const call = this.#calls.get(event.id);
    if (this.#reply || !call) return;
    this.#calls.delete(event.id);
    const content = contentOf(event, call, this.#cwd);
    const images = event.attachments?.map(imageBlock).filter((block) => block.type === 'image');
    this.#user({
      type: 'tool_result',
      id: event.id,
      content,
      isError: event.isError,
      ...(images && { images }),
    });
    this.#addHeld();
  }

  /** Answers the calls whose results are no longer in the log. */
  #settle(): void {
    if (this.#reply) return;
    for (const id of this.#calls.keys())
      this.#user({ type: 'tool_result', id, content: LOST, isError: true });
    this.#calls = new Map();
    this.#addHeld();
  }

  #remark(text: string | undefined): void {
    if (text) this.#held.push(text);
    this.#addHeld();
  }

  #addHeld(): void {
    if (this.#reply || this.#calls.size > 0) return;
    for (const text of this.#held) this.#user({ type: 'text', text });
    this.#held = [];
  }

  #end(outcome: EventOf<'request_ended'>['outcome']): void {
    const blocks = this.#reply ?? [];
    this.#reply = undefined;
    // Otherwise, what the reply answers is no longer in the log.
    const isAnswer = this.#isContinuation || this.#messages.length > 0;
    if (outcome === 'completed' && isAnswer) {
      this.#assistant(blocks);
      return;
    }
    this.#calls = new Map();
    if (outcome === 'cancelled' && isAnswer)
      this.#assistant(blocks.filter((block) => block.type === 'text').map(trimmed));
    if (outcome === 'refused') this.#messages.length = Math.min(this.#messages.length, this.#runStart);
  }

  #assistant(blocks: readonly AssistantBlock[]): void {
    const content = blocks.filter((block) => block.type !== 'text' || block.text.trim() !== '');
    if (content.some((block) => block.type !== 'reasoning'))
      this.#messages.push({ role: 'assistant', content });
  }

  /** Puts context before the prompt that it came with, after results and earlier context. */
  #context(block: UserBlock): void {
    const last = this.#messages.at(-1);
    if (last?.role !== 'user' || this.#messages.length <= this.#runStart) {
      this.#user(block);
      return;
    }
    const isBefore = ({ type }: UserBlock) => type === 'tool_result' || type === 'context';
    const place = last.content.findLastIndex(isBefore) + 1;
    this.#messages[this.#messages.length - 1] = {
      role: 'user',
      content: last.content.toSpliced(place, 0, block),
    };
  }

  #user(block: UserBlock): void {
    const last = this.#messages.at(-1);
    if (last?.role === 'user' && this.#messages.length > this.#runStart) {
      this.#messages[this.#messages.length - 1] = { role: 'user', content: [...last.content, block] };
    } else {
      this.#messages.push({ role: 'user', content: [block] });
    }
  }
}

function contentOf(
  event: EventOf<'tool_result'>,
  { name, input }: EventOf<'tool_call'>,
  cwd: string,
): string {
  const { result, diff, rendering } = event;
  if (!rendering) return result;
  const { limit, rest } = rendering;
  return renderResult({ name, input, result, diff: diff?.text, cwd, limit, rest }).text;
}

function trimmed(block: AssistantBlock): AssistantBlock {
  return block.type === 'text' ? { ...block, text: block.text.trimEnd() } : block;
}

/**
 * A prompt as the model gets it: images first, then the typed text (it may be empty) with the context that
 * was added.
 */
export function promptBlocks({ content, context, attachments = [] }: EventOf<'user'>): UserBlock[] {
  const text = context ? `${content}\n\n${context}` : content;
  const images = attachments.map(imageBlock);
  return images.length > 0 && text.trim() === '' ? images : [...images, { type: 'text', text }];
}

function imageBlock(name: string): ImageBlock | { readonly type: 'text'; readonly text: string } {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const mediaType = new Map<string, ImageBlock['mediaType']>(Object.entries(IMAGE_TYPES)).get(extension);
  return mediaType ? { type: 'image', name, mediaType } : { type: 'text', text: `Attached: ${name}` };
}
