import { decodeText, encodeText, fromUnits, looksBinary, markedEncoding } from '../base/text/encoding.ts';

/** The first byte of an escape sequence. */
const ESCAPE = 0x1b;
/** A character that no secret contains. */
const NONE = 0x80;

/**
 * Returns the text in which secrets are searched: the decoded bytes, or only their ASCII if they are no text.
 * With one character for each byte, chance would produce a false secret every few megabytes.
 */
export function searchableText(bytes: Uint8Array): string {
  return decodeText(bytes)?.text ?? asciiIn(bytes);
}

/**
 * Does the same for bytes that arrive in pieces. `first` is the first piece. Only the end shows whether the
 * bytes are text, so the result has a function for every possible reading.
 */
export function searchableTexts(first: Uint8Array): readonly ((piece: Uint8Array) => string)[] {
  const encoding = markedEncoding(first);
  const isWide = encoding.startsWith('utf-16');
  if (looksBinary(first) && !isWide) return [asciiIn];
  const decoder = new TextDecoder(isWide ? encoding : 'utf-8');
  return [(piece) => decoder.decode(piece, { stream: true }), isWide ? asciiIn : fromUnits];
}

/** Masks secrets in bytes. `mask` must keep lengths. */
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
