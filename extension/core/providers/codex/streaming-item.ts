import type { ModelEvent } from '../../ports/model.ts';
import type { Give } from '../wire/exchange.ts';
import { type Fields, textOf } from '../wire/json.ts';
import { utf8Length } from '../wire/unicode.ts';
import type { FinishedItem } from './output-item.ts';

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

/** An item of the output that is still growing. */
export class OpenItem {
  readonly index: number;
  /** The item after its end has arrived. */
  finished: FinishedItem | undefined;
  #wire: Fields = {};
  #text = '';
  #bytes = 0;
  #kept: ModelEvent[] = [];

  constructor(index: number) {
    this.index = index;
  }

  /** Whether events of this type carry pieces of an item. */
  static takes(type: unknown): boolean {
    return TEXT.has(type) || REASONING.has(type) || INPUT.has(type) || type === NEXT_PART;
  }

  get isCall(): boolean {
    return this.#wire.type === 'function_call' || this.#wire.type === 'custom_tool_call';
  }

  get name(): string {
    return textOf(this.#wire.name);
  }

  /** `wire` is the item as it was announced. */
  begin(wire: Fields): void {
    this.#wire = wire;
    if (this.isCall) this.#addInput('', this.keep);
  }

  /** Emits the piece, or buffers it until the item's turn. */
  add({ type, delta, summary_index }: Fields, give: Give): void {
    const piece = textOf(delta);
    if (type === NEXT_PART) {
      if (Number(summary_index) > 0) give({ type: 'reasoning_delta', text: '\n\n' });
    } else if (INPUT.has(type)) {
      this.#addInput(piece, give);
    } else if (piece !== '') {
      const isText = TEXT.has(type);
      if (isText) this.#text += piece;
      give({ type: isText ? 'text_delta' : 'reasoning_delta', text: piece });
    }
  }

  /** Buffers an event until the item's turn. */
  readonly keep: Give = (event) => {
    this.#kept.push(event);
  };

  /** Emits the buffered events. */
  release(give: Give): void {
    if (this.#kept.length === 0) return;
    const kept = this.#kept;
    this.#kept = [];
    for (const event of kept) give(event);
  }

  /** Emits the text so far of an item that was cut. */
  giveText(give: Give): void {
    this.release(give);
    if (this.#text.trim() !== '') give({ type: 'text', text: this.#text });
  }

  #addInput(piece: string, give: Give): void {
    this.#bytes += utf8Length(piece);
    const id = textOf(this.#wire.call_id) || textOf(this.#wire.id);
    give({ type: 'tool_input_delta', id, name: this.name, bytes: this.#bytes });
  }
}
