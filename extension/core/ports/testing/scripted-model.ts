import type { ModelEvent, ModelInfo, ModelProvider, Turn } from '../model.ts';

/** What the model does on one request: events, or a function that makes them from the request. */
export type ScriptedReply =
  | readonly ModelEvent[]
  | ((turn: Turn, signal: AbortSignal) => Iterable<ModelEvent> | AsyncIterable<ModelEvent>);

/** A model with scripted replies. Records its requests. Throws on a request beyond the script. */
export class ScriptedModel implements ModelProvider {
  readonly name = 'scripted';
  tools: readonly string[] = [];
  /** Deep copies of the requests as they were sent. */
  readonly turns: Turn[] = [];
  readonly #replies: ScriptedReply[];

  constructor(...replies: readonly ScriptedReply[]) {
    this.#replies = [...replies];
  }

  /** The number of replies that were not requested. */
  get unused(): number {
    return this.#replies.length;
  }

  async *streamTurn(turn: Turn, signal: AbortSignal): AsyncIterable<ModelEvent> {
    this.turns.push(structuredClone(turn));
    const reply = this.#replies.shift();
    if (!reply) throw new Error(`The script has no reply for request ${this.turns.length}.`);
    for await (const event of typeof reply === 'function' ? reply(turn, signal) : reply) {
      if (signal.aborted) return;
      yield event;
    }
  }

  async listModels(): Promise<readonly ModelInfo[]> {
    return [{ id: 'scripted', name: 'Scripted' }];
  }
}
