import { codesIn, escapesIn, hasEscapes, hasTerminalCodes } from '../base/text/terminal-codes.ts';
import { type FoundSecret, type HiddenLine, movedBy, replaceInLines } from './secret-match.ts';

/** Separates two pieces. No piece contains it. */
const PARTS = '\x1b';

/** A text between codes. `at` is its index without the codes; `place` is its index with the codes. */
interface Piece {
  readonly at: number;
  readonly place: number;
  readonly text: string;
}

const NOTHING: Piece = { at: 0, place: 0, text: '' };

/** A text without escape sequences. In the output of a command, it also has no other control characters. */
export class TerminalText {
  /** The text without codes. */
  readonly text: string;
  /** Has at least one piece. */
  readonly pieces: readonly Piece[];
  readonly #coded: string;

  constructor(coded: string, isOutput = false) {
    this.#coded = coded;
    this.pieces = piecesOf(coded, isOutput);
    this.text = this.pieces.map(({ text }) => text).join('');
  }

  /** The text with `PARTS` between each two pieces. */
  get parted(): string {
    return this.pieces.map(({ text }) => text).join(PARTS);
  }

  /** Converts a match in `parted` to its place in `text`. Empty if the match spans several pieces. */
  inPiece(found: FoundSecret): readonly FoundSecret[] {
    const first = this.#lastPiece((at, index) => at + index <= found.from);
    return found.text.includes(PARTS) ? [] : movedBy(-first, [found]);
  }

  /** True if a code precedes character `index` of `text`. */
  isBehindCode(index: number): boolean {
    const piece = this.#pieceAt(index);
    return piece.at === index && piece.place > index;
  }

  /**
   * The index in the text with codes of character `index` of `text`. After the last character, this is the
   * length of the text with codes.
   */
  placeOf(index: number): number {
    if (index >= this.text.length) return this.#coded.length;
    const { at, place } = this.#pieceAt(index);
    return place + index - at;
  }

  /** Returns the text with each code replaced by the result of `by`. */
  withCodes(by: (code: string) => string): string {
    if (this.text === this.#coded) return this.#coded;
    let result = '';
    let end = 0;
    for (const { place, text } of [...this.pieces, { place: this.#coded.length, text: '' }]) {
      result += by(this.#coded.slice(end, place)) + text;
      end = place + text.length;
    }
    return result;
  }

  /** Returns the text with codes, with each line replaced by the result of `by`. `by` must keep lengths. */
  with(lines: readonly HiddenLine[], by: (line: HiddenLine) => string): string {
    if (lines.length === 0) return this.#coded;
    const changed = replaceInLines(this.text, lines, by);
    let result = '';
    for (const { at, place, text } of this.pieces)
      result += this.#coded.slice(result.length, place) + changed.slice(at, at + text.length);
    return result + this.#coded.slice(result.length);
  }

  /**
   * Replaces these lines of `text` with placeholders. Keeps the codes, unless a code is within such a line.
   */
  hiding(lines: readonly Pick<HiddenLine, 'at' | 'text' | 'placeholder'>[]): string {
    if (lines.length === 0) return this.#coded;
    const placed = lines.map((line) => ({ ...line, at: this.placeOf(line.at) }));
    const isParted = placed.some((line) => !this.#coded.startsWith(line.text, line.at));
    if (isParted) return replaceInLines(this.text, lines, ({ placeholder }) => placeholder);
    return replaceInLines(this.#coded, placed, ({ placeholder }) => placeholder);
  }

  #pieceAt(place: number): Piece {
    return this.pieces[this.#lastPiece((at) => at <= place)] ?? NOTHING;
  }

  /** The index of the last piece for which `holds` is true. */
  #lastPiece(holds: (at: number, index: number) => boolean): number {
    let [from, to] = [0, this.pieces.length];
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (holds(this.pieces[middle]?.at ?? 0, middle)) from = middle;
      else to = middle;
    }
    return from;
  }
}

function piecesOf(coded: string, isOutput: boolean): readonly Piece[] {
  if (!(isOutput ? hasTerminalCodes(coded) : hasEscapes(coded))) return [{ at: 0, place: 0, text: coded }];
  const pieces: Piece[] = [];
  let place = 0;
  let at = 0;
  for (const code of [
    ...(isOutput ? codesIn(coded) : escapesIn(coded)),
    { index: coded.length, length: 0 },
  ]) {
    const text = coded.slice(place, code.index);
    if (text !== '') pieces.push({ at, place, text });
    at += text.length;
    place = code.index + code.length;
  }
  return pieces.length > 0 ? pieces : [NOTHING];
}
