import { BodyLine } from './json-strings.ts';
import { type HeldPiece, MaskedPieces } from './masked-text.ts';

/**
 * The longest line in characters that Harness waits for. A longer line is a whole answer, and its strings do
 * not continue in another line.
 */
const LONGEST = 1_000_000;

/**
 * The body of an answer. It has lines of JSON with a few words each, and strings of the same name continue
 * from line to line. An example: `{"text":"ghp_aB3d"}` and `{"text":"E6gH…"}` are two chunks of one text, and
 * both get their share of its mask. A character that is split between two pieces is written with the second
 * one.
 */
export class MaskedBody extends MaskedPieces {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #line = new BodyLine();

  add(piece: unknown): HeldPiece {
    // The pieces of a body are bytes.
    const text = this.#decoder.decode(piece as Uint8Array, { stream: true });
    const slices = this.#slices(text);
    return {
      get isSettled() {
        return slices.every(({ line }) => line.isSettled);
      },
      masked: () =>
        new TextEncoder().encode(slices.map(({ line, from, to }) => line.masked().slice(from, to)).join('')),
    };
  }

  override end(): void {
    this.#complete();
    super.end();
  }

  override cut(): void {
    this.#complete();
    super.cut();
  }

  #slices(text: string) {
    const slices: { readonly line: BodyLine; readonly from: number; readonly to: number }[] = [];
    for (let at = 0; at < text.length; ) {
      const line = this.#line;
      const feed = text.indexOf('\n', at) + 1;
      const end = Math.min(feed || text.length, at + LONGEST - line.length);
      slices.push({ line, from: line.length, to: line.add(text.slice(at, end)) });
      if (end === feed || line.length >= LONGEST) this.#complete();
      at = end;
    }
    return slices;
  }

  #complete(): void {
    this.#line.complete(this.texts);
    this.#line = new BodyLine();
  }
}
