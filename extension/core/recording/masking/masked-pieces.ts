// What a call gives in pieces, as it is written down: without secrets, also those of which no piece has the whole.
import { MaskedBody } from './masked-body.ts';
import { MaskedFile } from './masked-file.ts';
import { type HeldPiece, type Hiding, isSettled, type MaskedPieces, MaskedTexts } from './masked-text.ts';

/** For the pieces of the port of this name. */
export function maskedPieces(name: string, hiding: Hiding): MaskedPieces {
  if (name === 'wire.body') return new MaskedBody(hiding);
  return name === 'workspace.stream' ? new MaskedFile(hiding) : new MaskedWords(hiding, isOutput(name));
}

/** The port of this name gives what a command says. */
export function isOutput(name: string): boolean {
  return name === 'shell.run';
}

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
