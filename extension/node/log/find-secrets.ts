import type { SecretFilter } from '../../core/secrets/secret-filter.ts';
import { LONGEST_SECRET } from '../../core/secrets/secret-patterns.ts';
import { searchableText, searchableTexts } from '../../core/secrets/secrets-in-bytes.ts';
import { readRange } from '../fs/read-file.ts';
import { isShortened, type LogLine, logLines } from './log-lines.ts';
import { blobBytes, isBlobLine } from './recording-lines.ts';

/**
 * Whether a line of the recording at `path`, or the bytes in a blob line, contains a secret. A line that is
 * too long to search counts, too.
 */
export async function holdsSecretInLine(path: string, secrets: SecretFilter): Promise<boolean> {
  for await (const lines of logLines(path, { isRecording: true })) {
    for (const line of lines) {
      if (isShortened(line) ? await mayHoldSecret(path, line, secrets) : holdsSecret(line, secrets))
        return true;
    }
  }
  return false;
}

function holdsSecret({ bytes }: LogLine, secrets: SecretFilter): boolean {
  const text = bytes.toString();
  return secrets.text(text) !== text || secretIn(heldBytes(text), secrets);
}

/**
 * Whether a line that is too long to read whole may contain a secret. Only a blob line is searched; any other
 * counts as a secret.
 */
async function mayHoldSecret(path: string, line: LogLine, secrets: SecretFilter): Promise<boolean> {
  if (!isBlobLine(line) || (await hasQuoteWithin(path, line))) return true;
  if (await holdsSecretIn(path, line, secrets)) return true;
  return isInPieces(blobBytes(path, line), searchableTexts, secrets);
}

/** Whether the line contains more than the bytes of one file. */
async function hasQuoteWithin(path: string, { at, length, bytes }: LogLine): Promise<boolean> {
  const from = at + bytes.length - END.length;
  for await (const piece of readRange(path, from, at + length - END.length))
    if (piece.includes('"')) return true;
  return false;
}

/** The end of a blob line. */
const END = '"}';

/** Whether a line of the file at `path`, too long to read whole, contains a secret as text. */
async function holdsSecretIn(path: string, { at, length }: LogLine, secrets: SecretFilter): Promise<boolean> {
  const decoder = new TextDecoder();
  const texts = () => [(piece: Uint8Array) => decoder.decode(piece, { stream: true })];
  return isInPieces(readRange(path, at, at + length), texts, secrets);
}

/**
 * Whether one of the texts that `textsOf` reads from the chunks contains a secret. `textsOf` receives the
 * first chunk.
 */
async function isInPieces(
  pieces: AsyncIterable<Uint8Array>,
  textsOf: typeof searchableTexts,
  secrets: SecretFilter,
): Promise<boolean> {
  let searches: readonly ((piece: Uint8Array) => boolean)[] | undefined;
  for await (const piece of pieces) {
    searches ??= textsOf(piece).map((read) => searchOf(read, secrets));
    if (searches.some((search) => search(piece))) return true;
  }
  return false;
}

/** Returns a search over successive chunks, which also finds a secret that spans several of them. */
function searchOf(read: (piece: Uint8Array) => string, secrets: SecretFilter) {
  let rest = '';
  return (piece: Uint8Array): boolean => {
    const text = rest + read(piece);
    rest = text.slice(-LONGEST_SECRET);
    return secrets.text(text) !== text;
  };
}

export function secretIn(bytes: Uint8Array, secrets: SecretFilter): boolean {
  const text = searchableText(bytes);
  return secrets.text(text) !== text;
}

/** Returns no bytes for a line that is not a blob line. */
function heldBytes(line: string): Uint8Array {
  if (!line.startsWith('{"kind":"blob"')) return Buffer.alloc(0);
  return Buffer.from(/"bytes":"([^"]*)"/.exec(line)?.[1] ?? '', 'base64');
}
