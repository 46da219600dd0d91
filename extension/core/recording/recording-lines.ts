// The lines of a recording in a file that has everything in it: header, entries, the lines of the log, and blobs.
import { say } from '../../protocol/say.ts';
import { type Entry, RECORDING_VERSION, type RecordingHeader } from './entry.ts';
import type { RecordedSession } from './replay-session.ts';

export type RecordingLine =
  | RecordingHeader
  | Entry
  /** A line of the log, as it stands there. */
  | { readonly kind: 'log'; readonly line: string }
  /** Bytes that an entry names, in Base64. */
  | { readonly kind: 'blob'; readonly hash: string; readonly bytes: string };

/** What lies in the file, and in folders beside it. */
export interface RecordingParts {
  readonly header: RecordingHeader;
  readonly entries: readonly Entry[];
  readonly log: readonly string[];
  /** In Base64. */
  readonly blobs: ReadonlyMap<string, string>;
  /** The number of the first line that is damaged; what comes behind it of the same process is not used. */
  readonly damagedAt?: number | undefined;
}

const ENTRIES = ['open', 'start', 'piece', 'end', 'input'];

/** Throws, with a sentence that says why, for what is no recording, or one of a version that is not known. */
export function parseRecording(lines: readonly string[]): RecordingParts {
  const header = headerOf(lines[0]);
  const entries: Entry[] = [];
  const log: string[] = [];
  const blobs = new Map<string, string>();
  let damagedAt: number | undefined;
  /** From a damaged line on nothing is used until another process has begun to record. */
  let isCut = false;
  for (const [index, text] of lines.entries()) {
    const line = text === '' ? undefined : parseLine(text);
    if (line === 'damaged') damagedAt ??= index + 1;
    isCut = line === 'damaged' || (isCut && !isHeader(line));
    if (line === 'damaged' || isCut) continue;
    if (line?.kind === 'log') log.push(line.line);
    else if (line?.kind === 'blob') blobs.set(line.hash, line.bytes);
    else if (line && line.kind !== 'recording') entries.push(line);
  }
  return { header, entries, log, blobs, damagedAt };
}

function isHeader(line: RecordingLine | undefined): boolean {
  return line?.kind === 'recording';
}

function headerOf(text = ''): RecordingHeader {
  const header = parseObject(text);
  if (header?.kind !== 'recording' || typeof header.version !== 'number')
    throw new Error(say('This is no recording of a session.'));
  if (header.version !== RECORDING_VERSION)
    throw new Error(
      say(
        'This recording has format {0}, and this Harness plays format {1}. Play it with the Harness that made it: {2}.',
        header.version,
        RECORDING_VERSION,
        String(header.product),
      ),
    );
  // Written together with the two that were checked.
  return header as unknown as RecordingHeader;
}

function parseLine(text: string): RecordingLine | 'damaged' | undefined {
  const line = parseObject(text);
  if (!line) return 'damaged';
  const isKnown = [...ENTRIES, 'log', 'blob', 'recording'].includes(String(line.kind));
  // What Harness writes under these names has their fields.
  return isKnown ? (line as unknown as RecordingLine) : undefined;
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

/** The same, to be played. */
export function toRecordedSession({ header, entries, log, blobs }: RecordingParts): RecordedSession {
  const fetch = async (hash: string) => {
    const bytes = blobs.get(hash);
    if (bytes !== undefined) return Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
    throw new Error(say('The recording is not whole: bytes are missing ({0}).', hash.slice(0, 12)));
  };
  return { id: header.session, entries, log, fetch };
}
