// The lines of a recording, read in stretches: what is long in them is not looked into before somebody asks for it.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { headerOf, parseLine, type RecordingLine } from '../../core/recording/recording-lines.ts';
import { say } from '../../protocol/say.ts';
import { readExactly } from '../fs/handle-bytes.ts';
import { readRange } from '../fs/read-file.ts';
import { isShortened, type LogLine, logLines } from './log-lines.ts';

/** Where a line lies in its file, in bytes. */
export interface Place {
  readonly at: number;
  readonly length: number;
}

export interface LineThere {
  readonly place: Place;
  /** From 1, empty lines not counted. */
  readonly number: number;
  /** Undefined for a damaged line, and behind one. Of bytes and lines of a log it has the name alone. */
  readonly content: RecordingLine | undefined;
}

/** Bytes of a line that is read as a whole. */
const LONGEST_READ = 256 * 1024 * 1024;
const BLOB = /^\{"kind":"blob","hash":"([0-9a-f]{64})","bytes":"/;
const BLOB_LINE = new RegExp(`${BLOB.source}[^"]*"\\}$`);
/** Of the line of a blob, what stands before its bytes. */
const BLOB_BEGINNING = `{"kind":"blob","hash":"${'0'.repeat(64)}","bytes":"`.length;
const LOG = '{"kind":"log","line":"';
/** Longer than the beginnings above. */
const BEGINNING = 120;

/**
 * The lines of a recording, in order, or of its first `to` bytes; from a damaged one on nothing counts until another process
 * has begun to record. Throws as `readHeader`, which gets its first line and each that begins a part.
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

/** The line, as far as it was read, is that of a blob, and has nothing else in it. */
export function isBlobLine({ bytes }: LogLine): boolean {
  return BLOB_LINE.test(bytes.toString('latin1'));
}

/** SHA-256 (hex) of the bytes in the line of a blob at a place, which may be of any length. */
export async function hashOfBlob(path: string, place: Place): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of blobBytes(path, place)) hash.update(piece);
  return hash.digest('hex');
}

/** These bytes, in pieces. */
export async function* blobBytes(path: string, { at, length }: Place): AsyncGenerator<Buffer> {
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

/** The line at a place. Rejects where that is too long to be held, or is there no more. */
export async function readRecordingLine(
  file: FileHandle,
  { at, length }: Place,
  longest = LONGEST_READ,
): Promise<string> {
  if (length > longest)
    throw new Error(
      say('A line of the recording has {0} MB: that is too long to be played.', Math.round(length / 1e6)),
    );
  const bytes = await readExactly(file, at, length);
  if (!bytes) throw new Error(say('The recording was cut while it was being played.'));
  return bytes.toString();
}
