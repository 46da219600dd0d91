import { decodeText, encodeText, fromUnits, looksBinary, markedEncoding } from '../base/text/encoding.ts';

/** Begins what colours a text, where it is one. */
const ESCAPE = 0x1b;
/** Is in no secret. */
const NONE = 0x80;

/**
 * Where secrets are looked for in bytes: their text, and of what is no text the ASCII in it. With each byte as a character,
 * chance makes in every few megabytes what looks like a secret.
 */
export function searchableText(bytes: Uint8Array): string {
  return decodeText(bytes)?.text ?? asciiIn(bytes);
}

/** The same of bytes that come in pieces, the first of which is given: all that they may say, since only their end tells. */
export function searchableTexts(first: Uint8Array): readonly ((piece: Uint8Array) => string)[] {
  const encoding = markedEncoding(first);
  const isWide = encoding.startsWith('utf-16');
  if (looksBinary(first) && !isWide) return [asciiIn];
  const decoder = new TextDecoder(isWide ? encoding : 'utf-8');
  return [(piece) => decoder.decode(piece, { stream: true }), isWide ? asciiIn : fromUnits];
}

/** The bytes without what `mask`, which keeps lengths, hides in their text; the same ones where that is nothing. */
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
