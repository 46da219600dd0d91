import { concatBytes, encodeBody, fromUnits, markedEncoding, toUnits } from '../base/text/encoding.ts';
import { type HeldPiece, isSettled, type MaskedPieces, MaskedTexts } from './masked-text.ts';
import type { SecretPolicy } from './streaming-filter.ts';

/** The bytes of a file, each as it is but for what is hidden: in UTF-16 where they begin with its mark, else by the byte. */
export class MaskedFile implements MaskedPieces {
  readonly #text: MaskedTexts;
  #encoding: 'utf-16le' | 'utf-16be' | 'latin1' | undefined;

  constructor(policy: SecretPolicy) {
    this.#text = new MaskedTexts(policy);
  }

  add(piece: unknown): HeldPiece {
    // The pieces of a file.
    const bytes = piece as Uint8Array;
    this.#encoding ??= encodingOf(bytes);
    const encoding = this.#encoding;
    const rest = encoding === 'latin1' ? 0 : bytes.length % 2;
    const whole = bytes.subarray(0, bytes.length - rest);
    const part = this.#text.add(
      '',
      fromUnits(encoding === 'latin1' ? whole : toUnits(whole, encoding === 'utf-16le')),
    );
    return {
      get isSettled() {
        return isSettled(part);
      },
      masked: () => {
        const masked = part.masked === part.text ? whole : encodeBody(part.masked, encoding);
        return concatBytes([masked ?? whole, bytes.subarray(whole.length)]);
      },
    };
  }

  end(): void {
    this.#text.end();
  }

  cut(): void {
    this.#text.cut();
  }
}

function encodingOf(beginning: Uint8Array): 'utf-16le' | 'utf-16be' | 'latin1' {
  const marked = markedEncoding(beginning);
  return marked === 'utf-16le' || marked === 'utf-16be' ? marked : 'latin1';
}
