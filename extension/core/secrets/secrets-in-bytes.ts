import { decodeText, encodeText, fromUnits, looksBinary, markedEncoding } from '../base/text/encoding.ts';

/** Begins a terminal code. */
const ESCAPE = 0x1b;
/** No secret has this character. */
const NONE = 0x80;

/**
 * The text in which secrets are looked for: that of the bytes, or their ASCII alone where they are no text. With a character
 * for each byte, chance would make something like a secret every few megabytes.
 */
export function searchableText(bytes: Uint8Array): string {
  return decodeText(bytes)?.text ?? asciiIn(bytes);
}

/** The same for bytes that come in pieces, of which `first` is the first. Only the end tells what the bytes are, so it gives every reading. */
export function searchableTexts(first: Uint8Array): readonly ((piece: Uint8Array) => string)[] {
  const encoding = markedEncoding(first);
  const isWide = encoding.startsWith('utf-16');
  if (looksBinary(first) && !isWide) return [asciiIn];
  const decoder = new TextDecoder(isWide ? encoding : 'utf-8');
  return [(piece) => decoder.decode(piece, { stream: true }), isWide ? asciiIn : fromUnits];
}

/** The bytes without what `mask` hides in their text. `mask` has to keep lengths. */
export function maskBytes(bytes: Uint8Array, mask: (text: string) => string): Uint8Array {
  const decoded = decodeText(bytes);
  const text = decoded?.text ?? asciiIn(bytes);
  const masked = mask(text);
  if (masked === text) return bytes;
  if (decoded) return encodeText({ ...decoded, text: masked }) ?? bytes;
  return bytes.map((byte, at) => (masked[at] === text[at] ? byte : masked.charCodeAt(at)));
}

function asciiIn(bytes: Uint8Array): string {
  return fromUnits(bytes.map((byte) => (byte === ESCAPE ? NONE : Math.min(byte, NONE))));
}
