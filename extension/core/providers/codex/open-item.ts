import type { ModelEvent } from '../../ports/model.ts';
import { asText, type FinishedItem, type WireFields } from './finished-item.ts';

const TEXT = new Set<unknown>(['response.output_text.delta', 'response.refusal.delta']);
const REASONING = new Set<unknown>([
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
]);
const INPUT = new Set<unknown>([
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
]);
const NEXT_PART = 'response.reasoning_summary_part.added';

const encoder = new TextEncoder();

/** An item of the output while it grows. */
export class OpenItem {
  readonly index: number;
  /** Whether its end has come, and what it is then. */
  finished: FinishedItem | undefined;
  #wire: WireFields = {};
  #text = '';
  #bytes = 0;
  #deltas: ModelEvent[] = [];

  constructor(index: number) {
    this.index = index;
  }

  /** Whether events of this type are pieces of an item. */
  static takes(type: unknown): boolean {
    return TEXT.has(type) || REASONING.has(type) || INPUT.has(type) || type === NEXT_PART;
  }

  get isCall(): boolean {
    return this.#wire.type === 'function_call' || this.#wire.type === 'custom_tool_call';
  }

  get name(): string {
    return asText(this.#wire.name);
  }

  /** As it was announced. */
  begin(wire: WireFields): void {
    this.#wire = wire;
    if (this.isCall) this.#addInput('');
  }

  add({ type, delta, summary_index }: WireFields): void {
    const piece = asText(delta);
    if (type === NEXT_PART) {
      if (Number(summary_index) > 0) this.#deltas.push({ type: 'reasoning_delta', text: '\n\n' });
    } else if (INPUT.has(type)) {
      this.#addInput(piece);
    } else if (piece !== '') {
      const isText = TEXT.has(type);
      if (isText) this.#text += piece;
      this.#deltas.push({ type: isText ? 'text_delta' : 'reasoning_delta', text: piece });
    }
  }

  /** What has come since it was asked last. */
  takeDeltas(): readonly ModelEvent[] {
    const deltas = this.#deltas;
    this.#deltas = [];
    return deltas;
  }

  /** What it says so far, of one that was cut. */
  *takeText(): Generator<ModelEvent> {
    yield* this.takeDeltas();
    if (this.#text.trim() !== '') yield { type: 'text', text: this.#text };
  }

  #addInput(piece: string): void {
    this.#bytes += encoder.encode(piece).length;
    const id = asText(this.#wire.call_id) || asText(this.#wire.id);
    this.#deltas.push({ type: 'tool_input_delta', id, name: this.name, bytes: this.#bytes });
  }
}
