import { concatBytes, encodeBody, fromUnits, markedEncoding, toUnits } from '../base/text/encoding.ts';
import { type HeldPiece, heldPiece, MaskedPieces } from './masked-text.ts';

/** The bytes of a file. Read as UTF-16 after its byte order mark; otherwise each byte is a character. */
export class MaskedFile extends MaskedPieces {
  #encoding: 'utf-16le' | 'utf-16be' | 'latin1' | undefined;

  add(piece: unknown): HeldPiece {
    // The pieces of a file are bytes.
    const bytes = piece as Uint8Array;
    this.#encoding ??= encodingOf(bytes);
    const encoding = this.#encoding;
    const rest = encoding === 'latin1' ? 0 : bytes.length % 2;
    const whole = bytes.subarray(0, bytes.length - rest);
    const part = this.texts.add(
      '',
      fromUnits(encoding === 'latin1' ? whole : toUnits(whole, encoding === 'utf-16le')),
    );
    return heldPiece([part], () => {
      const masked = part.masked === part.text ? whole : encodeBody(part.masked, encoding);
      return concatBytes([masked ?? whole, bytes.subarray(whole.length)]);
    });
  }
}

function encodingOf(beginning: Uint8Array): 'utf-16le' | 'utf-16be' | 'latin1' {
  const marked = markedEncoding(beginning);
  return marked === 'utf-16le' || marked === 'utf-16be' ? marked : 'latin1';
}
