// The lines of a recording file. A file that stands alone also has the lines of the log. Other lines are
// headers, entries and blobs.
import { sep } from 'node:path';
import { say } from '../../protocol/say.ts';
import { type Entry, RECORDING_VERSION, type RecordingHeader } from './entry.ts';

export type RecordingLine =
  | RecordingHeader
  | Entry
  /** A line of the log, unchanged. */
  | { readonly kind: 'log'; readonly line: string }
  /** The bytes of a blob that an entry names, in Base64. */
  | { readonly kind: 'blob'; readonly hash: string; readonly bytes: string };

const ENTRIES = ['open', 'start', 'piece', 'end', 'input'];

/** True for entries and headers, which are read in order. Other lines are looked up by hash or number. */
export function isRecordingEntry(line: RecordingLine): line is Entry | RecordingHeader {
  return line.kind === 'recording' || ENTRIES.includes(line.kind);
}

/** Parses one line of a recording. Undefined if it is damaged. */
export function parseLine(text: string): RecordingLine | undefined {
  const line = parseObject(text);
  // `isWellFormedLine` checked the shape.
  return line && isWellFormedLine(line) ? (line as unknown as RecordingLine) : undefined;
}

/**
 * Parses the header of a recording that this machine can play. Throws an error for the user if the text is no
 * header, or if this machine cannot play the recording.
 */
export function headerOf(text: string): RecordingHeader {
  const header = anyHeaderOf(text);
  if (header.separator !== undefined && header.separator !== sep)
    throw new Error(
      header.separator === '/'
        ? say('This recording was not made on Windows and cannot be replayed there because its paths differ.')
        : say('This recording was made on Windows and can be replayed only there because its paths differ.'),
    );
  return header;
}

/**
 * Parses the header of a recording from any platform. Throws an error for the user if the text is no header,
 * or if its version is unknown.
 */
export function anyHeaderOf(text: string): RecordingHeader {
  const header = parseObject(text);
  if (header?.kind !== 'recording' || typeof header.version !== 'number') throw noRecording();
  if (header.version < 1 || header.version > RECORDING_VERSION)
    throw new Error(
      say(
        'This recording has format {0}, but this version of Harness replays format {1}. Replay it with the version that made it: {2}.',
        header.version,
        RECORDING_VERSION,
        String(header.product),
      ),
    );
  if (!isWellFormedLine(header)) throw noRecording();
  // `isWellFormedLine` checked the shape.
  return header as unknown as RecordingHeader;
}

function noRecording(): Error {
  return new Error(say('This is not a recording of a session.'));
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Any object can be read by field name.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // The caller reports the damaged line.
    return undefined;
  }
}

// These checks do not use zod. The panel's host loads this file, and zod would double what it loads.
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

/** A value and the number of times it was read in a row. */
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
/** The fields of every line of a log. */
const event = { type: isText, timestamp: isNumber, session: isText, seq: isCount, prev: isText };

/**
 * Checks the fields that Harness writes in a line of this kind. Lines of an unknown kind pass. The results of
 * ports are not checked.
 */
export function isWellFormedLine(line: Fields): boolean {
  return typeof line.kind === 'string' && has(line, shapes[line.kind] ?? {});
}

/** True if the value has the fields that every event has. */
export function looksLikeEvent(value: unknown): boolean {
  return isObject(value) && has(value, event);
}

function has(value: Fields, shape: Readonly<Record<string, Check>>): boolean {
  return Object.entries(shape).every(([name, check]) => check(value[name]));
}
