import * as vscode from 'vscode';
import type { ModelEvent } from '../../core/ports/model.ts';
import { parseToolInput } from '../../core/providers/wire/tool-calls.ts';

type CallEvent = Extract<ModelEvent, { type: 'tool_call' }>;

/**
 * Turns the parts of one reply into model events. Calls come whole, but wait for the end of the stream: a reply that
 * breaks off has none. Parts of other kinds are their maker's own affair.
 */
export class PartReader {
  /** All that the model wrote, for who counts it. */
  written = '';
  readonly #calls: CallEvent[] = [];
  readonly #message: number;
  #text = '';

  /** `message`: which one of the conversation this reply becomes, for the ids of calls that have none. */
  constructor(message: number) {
    this.#message = message;
  }

  get isEmpty(): boolean {
    return this.written.trim() === '';
  }

  *read(part: unknown): Generator<ModelEvent> {
    if (part instanceof vscode.LanguageModelTextPart && part.value !== '') {
      this.#text += part.value;
      this.written += part.value;
      yield { type: 'text_delta', text: part.value };
    }
    if (part instanceof vscode.LanguageModelToolCallPart) {
      yield* this.#closeText();
      this.#add(part);
    }
  }

  /** The stream is at its end. */
  *end(): Generator<ModelEvent> {
    yield* this.#closeText();
    yield* this.#calls;
  }

  done(): ModelEvent {
    return { type: 'done', stop: this.#calls.length > 0 ? 'tool_calls' : 'end' };
  }

  *#closeText(): Generator<ModelEvent> {
    const text = this.#text;
    this.#text = '';
    if (text.trim() !== '') yield { type: 'text', text };
  }

  #add({ callId, name, input: given }: vscode.LanguageModelToolCallPart): void {
    const json = JSON.stringify(given ?? {});
    const input = parseToolInput(json);
    this.written += name + json;
    this.#calls.push({
      type: 'tool_call',
      id: callId || `call_${this.#message}_${this.#calls.length}`,
      name,
      ...(typeof input === 'string' ? { input: {}, invalid: input } : { input }),
    });
  }
}
