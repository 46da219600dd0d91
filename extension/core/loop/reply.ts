// Writes one reply into the log: each block when it is complete, deltas live.
import type { EventDraft, EventOf } from '../../protocol/events.ts';
import type { ToolErrorCode } from '../base/tool-error.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { ModelError, ModelEvent, StopReason } from '../ports/model.ts';
import { failedToolResult } from './tool-failure.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly invalid?: string | undefined;
}

type ReplyWriter = Pick<LogWriter, 'stage' | 'append' | 'delta'>;

type BlockEvent = Exclude<ModelEvent, { type: 'done' } | { type: 'error' }>;

export class Reply {
  readonly calls: ToolCall[] = [];
  stop: StopReason | undefined;
  cutCall: string | undefined;
  error: ModelError | undefined;
  /** The user was shown part of the reply. */
  hadOutput = false;
  /** The reply has text for the user; thinking does not count. */
  hasText = false;
  /** The text of the block that is still open. */
  #openText = '';
  /** Usage events, which `end` stages right before `request_ended`. */
  #usage: EventDraft[] = [];
  readonly #writer: ReplyWriter;
  readonly #request: number;
  readonly #uniqueId: (id: string) => string;

  constructor(writer: ReplyWriter, request: number, uniqueId: (id: string) => string) {
    this.#uniqueId = uniqueId;
    this.#writer = writer;
    this.#request = request;
  }

  async add(event: ModelEvent): Promise<void> {
    if (event.type === 'done') {
      this.stop = event.stop;
      this.cutCall = event.cutCall;
    } else if (event.type === 'error') {
      this.error = event.error;
    } else {
      this.hadOutput ||= event.type !== 'usage';
      await this.#block(event);
    }
  }

  /**
   * Stages the end of the reply; the loop's next append writes it. If the reply does not count, every call
   * still gets a result. If the user canceled it, the shown text is logged.
   */
  end(outcome: EventOf<'request_ended'>['outcome']): void {
    const drafts = this.#usage;
    if (outcome === 'cancelled' && this.#openText.trim()) {
      drafts.push({ type: 'text', content: this.#openText, partial: true });
    }
    if (outcome !== 'completed') {
      const end = outcome === 'cancelled' ? 'cancelled' : 'interrupted';
      drafts.push(...this.calls.map(({ id }) => failedToolResult(id, ...NOT_RUN[end], end)));
    }
    const stop = this.error?.kind ?? this.stop ?? 'aborted';
    this.#writer.stage(...drafts, { type: 'request_ended', request: this.#request, outcome, stop });
  }

  async #call(event: Extract<ModelEvent, { type: 'tool_call' }>): Promise<void> {
    this.calls.push(event);
    await this.#writer.append({ ...event, input: { ...event.input } });
  }

  async #block(event: BlockEvent): Promise<void> {
    switch (event.type) {
      case 'text_delta':
        this.#openText += event.text;
        this.#writer.delta(event);
        break;
      case 'reasoning_delta':
      case 'tool_input_delta':
        this.#writer.delta(event);
        break;
      case 'text':
        this.#openText = '';
        this.hasText ||= event.text.trim() !== '';
        await this.#writer.append({
          type: 'text',
          content: event.text,
          ...(event.preamble && { preamble: true }),
          ...(event.opaque && { opaque: event.opaque }),
        });
        break;
      case 'reasoning':
        await this.#writer.append({ type: 'reasoning', content: event.text, opaque: event.opaque });
        break;
      case 'provider_block':
        await this.#writer.append(event);
        break;
      case 'tool_call':
        await this.#call({ ...event, id: this.#uniqueId(event.id) });
        break;
      case 'notice':
        await this.#writer.append(event);
        break;
      case 'usage':
        this.#usage.push({ type: 'usage', ...event.usage });
    }
  }
}

const NOT_RUN: Readonly<Record<'cancelled' | 'interrupted', readonly [string, ToolErrorCode]>> = {
  cancelled: ['cancelled by the user before it ran', 'cancelled'],
  interrupted: ['not run: the reply that asked for it was not completed', 'skipped'],
};
