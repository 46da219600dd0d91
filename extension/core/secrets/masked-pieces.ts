// Masks the pieces of a call before they are written, even if no piece contains a whole secret.
import { MaskedBody } from './masked-body.ts';
import { MaskedFile } from './masked-file.ts';
import { type HeldPiece, heldPiece, type MaskedPart, MaskedPieces } from './masked-text.ts';
import type { SecretPolicy } from './streaming-filter.ts';

/** Creates the masking for the pieces of port `name`. */
export function maskedPieces(name: string, policy: SecretPolicy): MaskedPieces {
  if (name === 'wire.body') return new MaskedBody(policy);
  return name === 'workspace.stream' ? new MaskedFile(policy) : new MaskedWords(policy, isOutput(name));
}

/** True for the port whose pieces are the output of a command. */
export function isOutput(name: string): boolean {
  return name === 'shell.run';
}

/** The output of a shell (`[stream, text]`), or the words of a model (`{ type, text }`). */
export class MaskedWords extends MaskedPieces {
  add(piece: unknown): HeldPiece | undefined {
    return Array.isArray(piece) ? this.#maskOutput(piece) : this.#word(piece);
  }

  #maskOutput([stream, text]: readonly unknown[]): HeldPiece {
    return this.#held(String(stream), String(text), (masked) => [stream, masked]);
  }

  #word(event: unknown): HeldPiece | undefined {
    // Every event of a model has a type.
    const { type, text } = event as { readonly type: string; readonly text?: unknown };
    if (typeof text !== 'string' || !type.endsWith('_delta')) return undefined;
    return this.#held(type, text, (masked) => ({ type, text: masked }));
  }

  #held(name: string, text: string, pieceOf: (masked: string) => unknown): HeldPiece {
    const part = this.texts.add(name, text);
    return heldPiece([part], () => pieceOf(part.masked));
  }
}

/** Parsed data from a provider. A text continues from piece to piece at the same place in the data. */
export class MaskedData extends MaskedPieces {
  add(piece: unknown): HeldPiece {
    const parts: MaskedPart[] = [];
    return heldPiece(parts, this.#read(piece, '', parts));
  }

  /** Adds the texts of `value` to `parts`. Returns a function for the value with these parts masked. */
  #read(value: unknown, place: string, parts: MaskedPart[]): () => unknown {
    if (typeof value === 'string') {
      const part = this.texts.add(place, value);
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
