import type { HeldPiece, MaskedPieces } from './masked-pieces.ts';
import { type Hiding, isSettled } from './masked-text.ts';
import { MaskedTexts } from './masked-texts.ts';

/** What a shell tells (`[stream, text]`), and the words of a model's events (`{ type, text }`). */
export class MaskedWords implements MaskedPieces {
  readonly #texts: MaskedTexts;

  constructor(hiding: Hiding, isOutput: boolean) {
    this.#texts = new MaskedTexts(hiding, isOutput);
  }

  add(piece: unknown): HeldPiece | undefined {
    return Array.isArray(piece) ? this.#told(piece) : this.#word(piece);
  }

  end(): void {
    this.#texts.end();
  }

  cut(): void {
    this.#texts.cut();
  }

  #told([stream, text]: readonly unknown[]): HeldPiece {
    return this.#held(String(stream), String(text), (masked) => [stream, masked]);
  }

  #word(event: unknown): HeldPiece | undefined {
    // Events of models have a type.
    const { type, text } = event as { readonly type: string; readonly text?: unknown };
    if (typeof text !== 'string' || !type.endsWith('_delta')) return undefined;
    return this.#held(type, text, (masked) => ({ type, text: masked }));
  }

  #held(name: string, text: string, pieceOf: (masked: string) => unknown): HeldPiece {
    const part = this.#texts.add(name, text);
    return {
      get isSettled() {
        return isSettled(part);
      },
      masked: () => pieceOf(part.masked),
    };
  }
}
