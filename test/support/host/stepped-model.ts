import { once } from 'node:events';
import type { ModelEvent, ModelInfo, ModelProvider, Turn } from '../../../extension/core/ports/model.ts';
import { type Gate, makeGate } from '../gate.ts';

/** A model that says one thing at a time, when it is told to. */
export class SteppedModel implements ModelProvider {
  readonly name = 'stepped';
  readonly #replies: (readonly ModelEvent[])[];
  /** Things that are still to be said. */
  #left: number;
  /** Open while it has something to say and may not yet. */
  #ready = makeGate();
  #said: Gate = makeGate();
  #mayGo = makeGate();

  constructor(replies: readonly (readonly ModelEvent[])[]) {
    this.#replies = [...replies];
    this.#left = replies.flat().length;
  }

  /** Resolves when the next thing was said and heard; with false where there is nothing left. */
  async step(): Promise<boolean> {
    if (this.#left === 0) return false;
    this.#left -= 1;
    await this.#ready.opened;
    this.#ready = makeGate();
    this.#said = makeGate();
    this.#mayGo.open();
    await this.#said.opened;
    return true;
  }

  async *streamTurn(_turn: Turn, signal: AbortSignal): AsyncIterable<ModelEvent> {
    for (const event of this.#replies.shift() ?? []) {
      this.#mayGo = makeGate();
      this.#ready.open();
      await Promise.race([this.#mayGo.opened, once(signal, 'abort')]);
      if (signal.aborted) return;
      try {
        yield event;
      } finally {
        this.#said.open();
      }
    }
  }

  async listModels(): Promise<readonly ModelInfo[]> {
    return [];
  }
}
