// Reads the lines of a recording in chunks. Leaves long content unread until a caller asks for it.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { headerOf, parseLine, type RecordingLine } from '../../core/recording/recording-lines.ts';
import { say } from '../../protocol/say.ts';
import { readExactly } from '../fs/handle-bytes.ts';
import { readRange } from '../fs/read-file.ts';
import { isShortened, type LogLine, logLines } from './log-lines.ts';

/** Offset and length of a line in its file, in bytes. */
export interface LinePlace {
  readonly at: number;
  readonly length: number;
}

export interface LineThere {
  readonly place: LinePlace;
  /** Counted from 1, without empty lines. */
  readonly number: number;
  /**
   * Undefined for a damaged line, and for lines behind one. The content of blob lines and log lines is left
   * empty.
   */
  readonly content: RecordingLine | undefined;
}

/** Bytes of the longest line that is read whole. */
const LONGEST_READ = 256 * 1024 * 1024;
const BLOB = /^\{"kind":"blob","hash":"([0-9a-f]{64})","bytes":"/;
const BLOB_LINE = new RegExp(`${BLOB.source}[^"]*"\\}$`);
/** Length of what precedes the bytes in a blob line. */
const BLOB_BEGINNING = `{"kind":"blob","hash":"${'0'.repeat(64)}","bytes":"`.length;
const LOG = '{"kind":"log","line":"';
/** Bytes that cover the beginnings above. */
const BEGINNING = 120;

/**
 * Yields the lines of a recording, or of its first `to` bytes, in order. Behind a damaged line, `content` is
 * undefined until another process began to record. Calls `readHeader` with the first line and each line that
 * begins a part, and throws what it throws.
 */
export async function* recordingLines(
  path: string,
  { readHeader = headerOf, to }: { readonly readHeader?: typeof headerOf; readonly to?: number } = {},
): AsyncGenerator<LineThere> {
  let number = 0;
  let isDone = false;
  for await (const lines of logLines(path, { to, isRecording: true })) {
    for (const line of lines) {
      number += 1;
      const content = contentOf(line);
      if (number === 1 || content?.kind === 'recording') readHeader(line.bytes.toString());
      isDone = !content || (isDone && content.kind !== 'recording');
      const place = { at: line.at, length: line.length };
      yield { place, number, content: isDone ? undefined : content };
    }
  }
}

function contentOf(line: LogLine): RecordingLine | undefined {
  const { bytes } = line;
  const beginning = bytes.toString('latin1', 0, BEGINNING);
  const isLong = beginning.startsWith(LOG) || BLOB.test(beginning);
  if (!isLong) return isShortened(line) ? undefined : parseLine(bytes.toString());
  if (bytes.toString('latin1', bytes.length - 2) !== '"}') return undefined;
  const [, hash] = BLOB.exec(beginning) ?? [];
  return hash === undefined ? { kind: 'log', line: '' } : { kind: 'blob', hash, bytes: '' };
}

/** Whether the line, as far as it was read, is a blob line and contains nothing else. */
export function isBlobLine({ bytes }: LogLine): boolean {
  return BLOB_LINE.test(bytes.toString('latin1'));
}

/** SHA-256 (hex) of the bytes in a blob line of any length. */
export async function hashOfBlob(path: string, place: LinePlace): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of blobBytes(path, place)) hash.update(piece);
  return hash.digest('hex');
}

/** Yields the bytes in a blob line, in chunks. */
export async function* blobBytes(path: string, { at, length }: LinePlace): AsyncGenerator<Buffer> {
  const [from, to] = [at + BLOB_BEGINNING, at + length - '"}'.length];
  let rest = '';
  for await (const piece of from < to ? readRange(path, from, to) : []) {
    const text = rest + piece.toString('latin1');
    const whole = text.length - (text.length % 4);
    yield Buffer.from(text.slice(0, whole), 'base64');
    rest = text.slice(whole);
  }
  yield Buffer.from(rest, 'base64');
}

/** Reads the line at a place. Rejects if the line is too long for memory, or no longer there. */
export async function readRecordingLine(
  file: FileHandle,
  { at, length }: LinePlace,
  longest = LONGEST_READ,
): Promise<string> {
  if (length > longest)
    throw new Error(say('A line of the recording is too long to replay: {0} MB.', Math.round(length / 1e6)));
  const bytes = await readExactly(file, at, length);
  if (!bytes) throw new Error(say('The recording file became shorter during the replay.'));
  return bytes.toString();
}
