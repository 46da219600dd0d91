import { createHash } from 'node:crypto';

/** The version of a file with this content: SHA-256, hex. */
export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
