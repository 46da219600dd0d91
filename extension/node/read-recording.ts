import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseRecording, type RecordingParts, toRecordedSession } from '../core/recording/recording-lines.ts';
import type { RecordedSession } from '../core/recording/replay-session.ts';
import { say } from '../protocol/say.ts';
import type { ArchivePart } from './archive-format.ts';
import { ifPresent } from './file-errors.ts';
import { ArchiveReader } from './read-archive.ts';
import { isSessionId, logOf, recordingOf } from './session-files.ts';

/** A recording that can be played. */
export interface ReadRecording {
  readonly session: RecordedSession;
  readonly header: RecordingParts['header'];
  /** The line from which on the file is damaged; what stands before it is played. */
  readonly damagedAt: number | undefined;
}

/** Of one file: a recording, packed or not, or an exported session. Rejects with a sentence that says what is wrong with it. */
export async function readRecordingFile(path: string): Promise<ReadRecording> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new Error(say('The recording could not be read: {0}', (error as Error).message), { cause: error });
  });
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isPacked) return playable(parseRecording(linesOf(bytes)));
  return (await readExported(path)) ?? playable(parseRecording(linesOf(await unpacked(bytes))));
}

/** Undefined for what is no exported session. */
async function readExported(path: string): Promise<ReadRecording | undefined> {
  const archive = await ArchiveReader.open(path).catch(() => undefined);
  if (!archive) return undefined;
  try {
    const files = new Map<string, Buffer>();
    for await (const { file, content } of archive.parts()) files.set(file, await bytesOf(content));
    return joined(archive.header.session, files.get('recording.jsonl'), files.get('events.jsonl'));
  } finally {
    archive.close();
  }
}

async function bytesOf(content: ArchivePart['content']): Promise<Buffer> {
  if (content instanceof Uint8Array) return Buffer.from(content);
  const pieces: Uint8Array[] = [];
  for await (const piece of content.stream) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
}

/** The recording of session `id`, with its log. */
function joined(id: string, recording: Buffer | undefined, log: Buffer | undefined): ReadRecording {
  if (!log) throw new Error(say('There is no session “{0}”.', id));
  if (!recording) throw new Error(say('The session “{0}” was not recorded.', id));
  return playable({ ...parseRecording(linesOf(recording)), log: linesOf(log) });
}

function playable(parts: RecordingParts): ReadRecording {
  return { session: toRecordedSession(parts), header: parts.header, damagedAt: parts.damagedAt };
}

/** Of a session below `sessions` that was recorded while it was written. Rejects as above. */
export async function readSessionRecording(sessions: string, id: string): Promise<ReadRecording> {
  const [recording, log] = await Promise.all(
    [recordingOf(sessions, id), logOf(sessions, id)].map((path) => ifPresent(readFile(path))),
  );
  return joined(id, recording, log);
}

/** Of a session where `name` is one of its ids, else of a file. */
export async function readRecording(sessions: string, name: string): Promise<ReadRecording> {
  const isSession = isSessionId(name) && (await ifPresent(readFile(logOf(sessions, name)))) !== undefined;
  return isSession ? readSessionRecording(sessions, name) : readRecordingFile(name);
}

async function unpacked(bytes: Buffer): Promise<Buffer> {
  return promisify(gunzip)(bytes).catch(() => {
    throw new Error(say('The recording is damaged: it cannot be unpacked. Ask for it again.'));
  });
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString('utf8').trim().split('\n');
}
