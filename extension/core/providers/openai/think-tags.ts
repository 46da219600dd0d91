/** A piece of a reply's text, classified. */
export interface SortedText {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

const NAMES = ['think', 'thinking', 'thought'];

/**
 * Separates thinking from text if a model writes both into one stream. The thinking is in `<think>…</think>`
 * at the very beginning; a tag anywhere else is text. Holds back a piece that may be the beginning of a tag.
 */
export class ThinkTags {
  #state: 'start' | 'thinking' | 'text' = 'start';
  #close = '';
  #held = '';

  *sort(piece: string): Generator<SortedText> {
    this.#held += piece;
    if (this.#state === 'start') this.#begin();
    if (this.#state === 'thinking') yield* this.#think();
    if (this.#state === 'text') yield* this.#take('text', this.#held.length);
  }

  /** Returns what is still held back. */
  *end(): Generator<SortedText> {
    yield* this.#take(this.#state === 'thinking' ? 'reasoning' : 'text', this.#held.length);
  }

  #begin(): void {
    const text = this.#held.trimStart();
    const name = NAMES.find((known) => text.startsWith(`<${known}>`));
    if (name) {
      this.#state = 'thinking';
      this.#close = `</${name}>`;
      this.#held = text.slice(name.length + 2);
    } else if (!NAMES.some((known) => `<${known}>`.startsWith(text))) this.#state = 'text';
  }

  *#think(): Generator<SortedText> {
    const end = this.#held.indexOf(this.#close);
    yield* this.#take('reasoning', end < 0 ? this.#held.length - this.#doubtful() : end);
    if (end < 0) return;
    this.#held = this.#held.slice(this.#close.length);
    this.#state = 'text';
  }

  /** The number of characters at the end that may be the beginning of the closing tag. */
  #doubtful(): number {
    let length = Math.min(this.#held.length, this.#close.length - 1);
    while (!this.#close.startsWith(this.#held.slice(this.#held.length - length))) length--;
    return length;
  }

  *#take(kind: SortedText['kind'], length: number): Generator<SortedText> {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    if (text !== '') yield { kind, text };
  }
}
