import { createHash } from 'node:crypto';
import { refilled } from '../secrets/masks.ts';
import { type Encoding, encode } from './coded.ts';

const HASHES = /\b[0-9a-f]{64}\b/g;

/** Of the arguments of a call: the first halves of SHA-256, hex. */
export interface Digests {
  /** As they would be written down. */
  readonly strict: string;
  /** The same, whatever hashes are in them. */
  readonly loose: () => string;
}

export function digests(given: readonly unknown[], { mask, errors }: Omit<Encoding, 'keep'>): Digests {
  // What a model has said in JSON within JSON has masks of the same length, but without what fills them.
  const level = (text: string) => refilled(mask(text), '~');
  const text = JSON.stringify(encode(given, { keep: () => {}, mask: level, errors }));
  return { strict: halfHash(text), loose: () => halfHash(withoutHashes(text)) };
}

/** What two texts have in common that differ in hashes alone. */
export function withoutHashes(text: string): string {
  return text.replace(HASHES, '#');
}

function halfHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
