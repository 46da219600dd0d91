// The lines of a recording in a file that has everything in it: header, entries, the lines of the log, and blobs.
import { sep } from 'node:path';
import { say } from '../../protocol/say.ts';
import { type Entry, RECORDING_VERSION, type RecordingHeader } from './entry.ts';

export type RecordingLine =
  | RecordingHeader
  | Entry
  /** A line of the log, as it stands there. */
  | { readonly kind: 'log'; readonly line: string }
  /** Bytes that an entry names, in Base64. */
  | { readonly kind: 'blob'; readonly hash: string; readonly bytes: string };

const ENTRIES = ['open', 'start', 'piece', 'end', 'input'];

/** What happened, or who records; other lines are asked for by name or number. */
export function isRecordingEntry(line: RecordingLine): line is Entry | RecordingHeader {
  return line.kind === 'recording' || ENTRIES.includes(line.kind);
}

/** One line of a recording, read. Undefined for one that is damaged. */
export function parseLine(text: string): RecordingLine | undefined {
  const line = parseObject(text);
  // It has been looked at.
  return line && isWellFormedLine(line) ? (line as unknown as RecordingLine) : undefined;
}

/** Throws, with a sentence that says why, for what is no recording, or one that cannot be played here. */
export function headerOf(text: string): RecordingHeader {
  const header = anyHeaderOf(text);
  if (header.separator !== undefined && header.separator !== sep)
    throw new Error(
      header.separator === '/'
        ? say('This recording was not made on Windows and does not play there: its paths are other ones.')
        : say('This recording was made on Windows and plays only there: its paths are other ones.'),
    );
  return header;
}

/** The same, wherever it can be played: throws for what is no recording, or one of a version that is not known. */
export function anyHeaderOf(text: string): RecordingHeader {
  const header = parseObject(text);
  if (header?.kind !== 'recording' || typeof header.version !== 'number') throw noRecording();
  if (header.version < 1 || header.version > RECORDING_VERSION)
    throw new Error(
      say(
        'This recording has format {0}, and this Harness plays format {1}. Play it with the Harness that made it: {2}.',
        header.version,
        RECORDING_VERSION,
        String(header.product),
      ),
    );
  if (!isWellFormedLine(header)) throw noRecording();
  // It has been looked at.
  return header as unknown as RecordingHeader;
}

function noRecording(): Error {
  return new Error(say('This is no recording of a session.'));
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // The fields of an object can be looked at.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // The caller says that the line is damaged.
    return undefined;
  }
}

// Without a library: this is loaded with the panel's host, for which zod would be as much as all of the rest.
type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isAny: Check = () => true;

function isList(isPart: Check): Check {
  return (value) => Array.isArray(value) && value.every(isPart);
}

function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value, and how often it was read in a row. */
const isRun: Check = (run) => Array.isArray(run) && run.length === 2 && isCount(run[1]);
const isRead: Check = (value) => isObject(value) && Object.values(value).every(isList(isRun));

const timed = { at: optional(isNumber), read: optional(isRead) };
const shapes: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  recording: { version: isNumber, session: isText },
  open: { past: isCount, repairs: isList(isText), home: isText, has: isList(isText), ...timed },
  start: { id: isCount, name: isText, given: isText, loose: optional(isText), ...timed },
  piece: { id: isCount, ...timed },
  end: { id: isCount, ...timed },
  input: { id: isCount, name: isText, given: isList(isAny), told: optional(isCount), ...timed },
  log: { line: isText },
  blob: { hash: isText, bytes: isText },
};
/** What every line of a log has. */
const event = { type: isText, timestamp: isNumber, session: isText, seq: isCount, prev: isText };

/** A line of its kind, as Harness writes them; of kinds that are not known nobody can tell. What ports gave is not looked at. */
export function isWellFormedLine(line: Fields): boolean {
  return typeof line.kind === 'string' && has(line, shapes[line.kind] ?? {});
}

/** It has what every event has. */
export function looksLikeEvent(value: unknown): boolean {
  return isObject(value) && has(value, event);
}

function has(value: Fields, shape: Readonly<Record<string, Check>>): boolean {
  return Object.entries(shape).every(([name, check]) => check(value[name]));
}
