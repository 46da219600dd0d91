// What a call gives in pieces, as it is written down: without secrets, also those of which no piece has the whole.
import { MaskedBody } from './masked-body.ts';
import { MaskedFile } from './masked-file.ts';
import { type HeldPiece, isSettled, type MaskedPieces, MaskedTexts, type Part } from './masked-text.ts';
import type { SecretPolicy } from './streaming-filter.ts';

/** For the pieces of the port of this name. */
export function maskedPieces(name: string, policy: SecretPolicy): MaskedPieces {
  if (name === 'wire.body') return new MaskedBody(policy);
  return name === 'workspace.stream' ? new MaskedFile(policy) : new MaskedWords(policy, isOutput(name));
}

/** The port of this name gives what a command says. */
export function isOutput(name: string): boolean {
  return name === 'shell.run';
}

/** What a shell tells (`[stream, text]`), and the words of a model's events (`{ type, text }`). */
export class MaskedWords implements MaskedPieces {
  readonly #texts: MaskedTexts;

  constructor(policy: SecretPolicy, isOutput: boolean) {
    this.#texts = new MaskedTexts(policy, isOutput);
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

/** Plain data whose texts go on from piece to piece, each at its place: what a provider sends, parsed. */
export class MaskedData implements MaskedPieces {
  readonly #texts: MaskedTexts;

  constructor(policy: SecretPolicy) {
    this.#texts = new MaskedTexts(policy);
  }

  add(piece: unknown): HeldPiece {
    const parts: Part[] = [];
    const masked = this.#read(piece, '', parts);
    return {
      get isSettled() {
        return parts.every(isSettled);
      },
      masked,
    };
  }

  end(): void {
    this.#texts.end();
  }

  cut(): void {
    this.#texts.cut();
  }

  /** Adds the texts of `value` to `parts`. Returns what gives the value with these parts masked. */
  #read(value: unknown, place: string, parts: Part[]): () => unknown {
    if (typeof value === 'string') {
      const part = this.#texts.add(place, value);
      parts.push(part);
      return () => part.masked;
    }
    if (typeof value !== 'object' || value === null) return () => value;
    const fields = Object.entries(value).map(
      ([name, field]) => [name, this.#read(field, `${place}.${name}`, parts)] as const,
    );
    if (Array.isArray(value)) return () => fields.map(([, field]) => field());
    return () => Object.fromEntries(fields.map(([name, field]) => [name, field()]));
  }
}
