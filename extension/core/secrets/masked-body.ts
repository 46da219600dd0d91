import { BodyLine } from './json-strings.ts';
import { type HeldPiece, type MaskedPieces, MaskedTexts } from './masked-text.ts';
import type { SecretPolicy } from './streaming-filter.ts';

/** Characters of a line that is waited for. A longer one is a whole answer, whose strings are not in pieces. */
const LONGEST = 1_000_000;

/**
 * The body of an answer. A model's words come in lines of JSON, each with a few of them: strings of the same name go on from
 * line to line. A character that comes in two pieces is written down with the later one; no reader can tell.
 */
export class MaskedBody implements MaskedPieces {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #texts: MaskedTexts;
  #line = new BodyLine();

  constructor(policy: SecretPolicy) {
    this.#texts = new MaskedTexts(policy);
  }

  add(piece: unknown): HeldPiece {
    // The pieces of a body.
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

  end(): void {
    this.#complete();
    this.#texts.end();
  }

  cut(): void {
    this.#complete();
    this.#texts.cut();
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
    this.#line.complete(this.#texts);
    this.#line = new BodyLine();
  }
}
