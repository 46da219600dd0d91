// The lines of a recording, read in stretches: what is long in them is not looked into before somebody asks for it.
import type { FileHandle } from 'node:fs/promises';
import { headerOf, parseLine, type RecordingLine } from '../core/recording/recording-lines.ts';
import { say } from '../protocol/say.ts';
import { readWhole } from './handle-bytes.ts';
import { isCut, type LogLine, logLines } from './log-lines.ts';

/** Where a line lies in its file, in bytes. */
export interface Place {
  readonly at: number;
  readonly length: number;
}

export interface LineThere {
  readonly place: Place;
  /** From 1, empty lines not counted. */
  readonly number: number;
  /** Undefined for a damaged line. Of bytes and lines of a log it has the name alone. */
  readonly content: RecordingLine | undefined;
}

/** Bytes of a line that is read as a whole. */
const LONGEST_READ = 256 * 1024 * 1024;
const BLOB = /^\{"kind":"blob","hash":"([0-9a-f]{64})","bytes":"/;
const LOG = '{"kind":"log","line":"';
/** Longer than the beginnings above. */
const BEGINNING = 120;

/**
 * The lines of a recording, in order; from a damaged one on nothing counts until another process has begun to record. Throws,
 * with a sentence that says why, for what is no recording, or one of a version that is not known.
 */
export async function* recordingLines(path: string): AsyncGenerator<LineThere> {
  let number = 0;
  let isDone = false;
  for await (const lines of logLines(path)) {
    for (const line of lines) {
      number += 1;
      const content = contentOf(line);
      if (number === 1 || content?.kind === 'recording') headerOf(line.bytes.toString());
      isDone = !content || (isDone && content.kind !== 'recording');
      if (!content || !isDone) yield { place: { at: line.at, length: line.length }, number, content };
    }
  }
}

function contentOf(line: LogLine): RecordingLine | undefined {
  const { bytes } = line;
  const beginning = bytes.toString('latin1', 0, BEGINNING);
  const isLong = beginning.startsWith(LOG) || BLOB.test(beginning);
  if (!isLong) return isCut(line) ? undefined : parseLine(bytes.toString());
  if (bytes.toString('latin1', bytes.length - 2) !== '"}') return undefined;
  const [, hash] = BLOB.exec(beginning) ?? [];
  return hash === undefined ? { kind: 'log', line: '' } : { kind: 'blob', hash, bytes: '' };
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
  const bytes = await readWhole(file, at, length);
  if (!bytes) throw new Error(say('The recording was cut while it was being played.'));
  return bytes.toString();
}
