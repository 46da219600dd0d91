import * as vscode from 'vscode';
import type { ModelEvent } from '../../core/ports/model.ts';
import { parseToolInput } from '../../core/providers/wire/tool-calls.ts';

type CallEvent = Extract<ModelEvent, { type: 'tool_call' }>;

/**
 * Converts the parts of one reply into model events. Tool calls arrive whole, but are emitted only at the end
 * of the stream, so that an aborted reply has none. Ignores parts of other kinds.
 */
export class PartReader {
  /** Everything the model wrote, for the token counter. */
  written = '';
  readonly #calls: CallEvent[] = [];
  readonly #message: number;
  #text = '';

  /** `message` is the index of this reply in the conversation. It makes ids for calls that have none. */
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

  /** Call at the end of the stream. */
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
