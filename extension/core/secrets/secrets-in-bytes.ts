import { decodeText, encodeText, fromUnits } from '../tools/text-file.ts';

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
