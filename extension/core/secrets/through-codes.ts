import { codesIn, escapesIn, hasEscapes, hasTerminalCodes } from '../tools/strip-terminal-codes.ts';

/** A text as it is read: without the escape sequences that colour it; what a command says, without any control characters. */
export class ReadText {
  /** Without them. */
  readonly text: string;
  /** What lies between codes: where it begins in `text`, and where in the text with them. */
  readonly #pieces: readonly { readonly at: number; readonly place: number; readonly text: string }[];
  readonly #coded: string;

  /** Whether it may be another one. */
  static differs(coded: string, isOutput = false): boolean {
    return isOutput ? hasTerminalCodes(coded) : hasEscapes(coded);
  }

  constructor(coded: string, isOutput = false) {
    const pieces = [];
    let place = 0;
    let at = 0;
    const codes = isOutput ? codesIn(coded) : escapesIn(coded);
    for (const code of [...codes, { index: coded.length, length: 0 }]) {
      const text = coded.slice(place, code.index);
      if (text !== '') pieces.push({ at, place, text });
      at += text.length;
      place = code.index + code.length;
    }
    this.#pieces = pieces;
    this.#coded = coded;
    this.text = pieces.map(({ text }) => text).join('');
  }

  /** Where character `index` of `text` stands in the text with codes; behind the last one, the length of that. */
  placeOf(index: number): number {
    const piece = this.#pieces.findLast(({ at }) => at <= index);
    return piece && index < this.text.length ? piece.place + index - piece.at : this.#coded.length;
  }

  /** The text with codes, with `changed` instead of `text`, which is as long. */
  with(changed: string): string {
    let result = '';
    for (const { at, place, text } of this.#pieces)
      result += this.#coded.slice(result.length, place) + changed.slice(at, at + text.length);
    return result + this.#coded.slice(result.length);
  }
}
