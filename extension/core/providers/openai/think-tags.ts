/** A piece of a reply's text, sorted. */
export interface SortedText {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

const NAMES = ['think', 'thinking', 'thought'];

/**
 * Tells thinking from text where a model writes both into one stream: `<think>…</think>` at the very beginning. A tag
 * anywhere else is text. A piece that may be the beginning of a tag waits for the next one.
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

  /** What still waits. */
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

  /** How many characters at the end may be the beginning of the closing tag. */
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
