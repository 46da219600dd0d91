import type { SecretFilter } from '../core/secrets/secret-filter.ts';
import { decodeText } from '../core/tools/text-file.ts';
import { logLines } from './log-lines.ts';

/** The recording at `path` has a secret in it, in its lines or in the bytes that they hold. One that cannot be read may have. */
export async function holdsSecret(path: string, secrets: SecretFilter): Promise<boolean> {
  for await (const lines of logLines(path)) {
    for (const { bytes } of lines) {
      const text = bytes.toString();
      if (secrets.text(text) !== text || secretIn(heldBytes(text), secrets)) return true;
    }
  }
  return false;
}

/** Bytes of a file, as text. */
export function secretIn(bytes: Uint8Array, secrets: SecretFilter): boolean {
  const text = decodeText(bytes)?.text ?? '';
  return secrets.text(text) !== text;
}

/** None in a line that is not about bytes. */
function heldBytes(line: string): Uint8Array {
  if (!line.startsWith('{"kind":"blob"')) return Buffer.alloc(0);
  return Buffer.from(/"bytes":"([^"]*)"/.exec(line)?.[1] ?? '', 'base64');
}
