import { PatternError } from './pattern-error.ts';

/** Reads one line of a pattern, character by character (code points). */
export class Reader {
  readonly #characters: readonly string[];
  #position = 0;

  constructor(line: string) {
    this.#characters = Array.from(line);
  }

  get atEnd(): boolean {
    return this.#position >= this.#characters.length;
  }

  /** The character at the position, or `offset` after it; undefined beyond the end. */
  peek(offset = 0): string | undefined {
    return this.#characters[this.#position + offset];
  }

  startsWith(text: string): boolean {
    return Array.from(text).every((character, offset) => this.peek(offset) === character);
  }

  /** Skips `text` if it is at the position. */
  take(text: string): boolean {
    const here = this.startsWith(text);
    if (here) this.#position += text.length;
    return here;
  }

  /** Skips and returns the digits at the position. */
  takeDigits(): string {
    const start = this.#position;
    while (/^[0-9]$/.test(this.peek() ?? '')) this.#position += 1;
    return this.#characters.slice(start, this.#position).join('');
  }

  /**
   * Skips and returns the character at the position. If the pattern ends here, throws with the message
   * `problem`.
   */
  next(problem = 'Premature end of regular expression'): string {
    const character = this.peek();
    if (character === undefined) throw new PatternError(problem);
    this.#position += 1;
    return character;
  }
}
