import type { SecretFilter } from '../core/secrets/secret-filter.ts';
import { LONGEST_SECRET } from '../core/secrets/secret-kinds.ts';
import { searchableText } from '../core/secrets/secrets-in-bytes.ts';
import { isCut, type LogLine, logLines } from './log-lines.ts';
import { readRange } from './read-range.ts';

/** The recording at `path` has a secret in one of its lines, or in the bytes that one holds. What is too long may have. */
export async function holdsSecretInLine(path: string, secrets: SecretFilter): Promise<boolean> {
  for await (const lines of logLines(path)) {
    for (const line of lines) {
      // Bytes so long are not looked into.
      if (isCut(line)) return true;
      const text = line.bytes.toString();
      if (secrets.text(text) !== text || secretIn(heldBytes(text), secrets)) return true;
    }
  }
  return false;
}

/** A line of the file at `path` that is too long to be read as it is has a secret in it. */
export async function holdsSecretIn(
  path: string,
  { at, length }: LogLine,
  secrets: SecretFilter,
): Promise<boolean> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of readRange(path, at, at + length)) {
    const text = rest + decoder.decode(piece, { stream: true });
    if (secrets.text(text) !== text) return true;
    rest = text.slice(-LONGEST_SECRET);
  }
  return false;
}

export function secretIn(bytes: Uint8Array, secrets: SecretFilter): boolean {
  const text = searchableText(bytes);
  return secrets.text(text) !== text;
}

/** None in a line that is not about bytes. */
function heldBytes(line: string): Uint8Array {
  if (!line.startsWith('{"kind":"blob"')) return Buffer.alloc(0);
  return Buffer.from(/"bytes":"([^"]*)"/.exec(line)?.[1] ?? '', 'base64');
}
