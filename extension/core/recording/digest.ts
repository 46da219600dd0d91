import { createHash } from 'node:crypto';
import { type Encoding, encode } from './coded.ts';

const HASHES = /\b[0-9a-f]{64}\b/g;

/** Of the arguments of a call, as they would be written down: the first half of their SHA-256, hex. */
export function digest(given: readonly unknown[], { mask, errors }: Omit<Encoding, 'keep'>): string {
  return halfHash(JSON.stringify(encode(given, { keep: () => {}, mask, errors })));
}

/** The same, whatever hashes are in them. */
export function looseDigest(given: readonly unknown[], { mask, errors }: Omit<Encoding, 'keep'>): string {
  return halfHash(withoutHashes(JSON.stringify(encode(given, { keep: () => {}, mask, errors }))));
}

/** What two texts have in common that differ in hashes alone. */
export function withoutHashes(text: string): string {
  return text.replace(HASHES, '#');
}

function halfHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
