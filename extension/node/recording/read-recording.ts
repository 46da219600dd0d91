import { createReadStream } from 'node:fs';
import { open, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { NoSessionError } from '../../core/ports/session-store.ts';
import type { ReplayOptions, ReplayResult } from '../../core/recording/replay/replay-session.ts';
import { thisProduct } from '../../core/recording/replay/this-product.ts';
import { say } from '../../protocol/say.ts';
import { ArchiveError, ArchiveReader } from '../archive/read-archive.ts';
import { errorCode, ifPresent } from '../fs/file-errors.ts';
import { makeTemporaryFolder } from '../fs/temporary-folder.ts';
import { isSessionId, logOf, recordingOf } from '../log/session-files.ts';
import { systemClock } from '../system-clock.ts';
import { RecordingOnDisk } from './recording-on-disk.ts';

/** A recording that was opened for a replay. */
export interface ReadRecording {
  readonly session: RecordingOnDisk;
  /** The first damaged line; the lines before it are played. Undefined if no line is damaged. */
  readonly damagedAt: number | undefined;
  /** Closes the files and removes unpacked ones. The caller must call this at the end. */
  close(): Promise<void>;
}

/** The largest size in bytes to which a recording may be unpacked. */
const LARGEST = 8_000_000_000;

/**
 * Opens a recording, plain or packed with gzip, or an exported session. Rejects with an error for the user.
 */
export async function readRecordingFile(path: string, largest = LARGEST): Promise<ReadRecording> {
  if (!(await isPacked(path))) return readable(await RecordingOnDisk.open(path));
  const folder = await makeTemporaryFolder('harness-replay-');
  try {
    return readable(await unpacked(path, folder.path, largest), folder.remove);
  } catch (error) {
    folder.remove();
    throw error;
  }
}

/** Opens the recording of a session in the folder `sessions`. Rejects with an error for the user. */
export async function readSessionRecording(sessions: string, id: string): Promise<ReadRecording> {
  const [recording, log] = [recordingOf(sessions, id), logOf(sessions, id)];
  if (!isSessionId(id) || !(await ifPresent(stat(log)))) throw new NoSessionError(id);
  if (!(await ifPresent(stat(recording)))) throw notRecorded(id);
  return readable(await RecordingOnDisk.open(recording, log));
}

/** Opens the recording of session `name`, or the file `name` if there is no such session. */
export async function readRecording(sessions: string, name: string): Promise<ReadRecording> {
  const isSession = isSessionId(name) && (await ifPresent(stat(logOf(sessions, name))));
  return isSession ? readSessionRecording(sessions, name) : readRecordingFile(name);
}

function readable(session: RecordingOnDisk, remove = () => {}): ReadRecording {
  return {
    session,
    damagedAt: session.damagedAt,
    close: async () => {
      await session.close();
      remove();
    },
  };
}

async function isPacked(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
      return buffer[0] === 0x1f && buffer[1] === 0x8b;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Error(say('The recording could not be read: {0}', (error as Error).message), { cause: error });
  }
}

async function unpacked(path: string, folder: string, largest: number): Promise<RecordingOnDisk> {
  const archive = await ArchiveReader.open(path).catch(() => undefined);
  if (archive) return fromArchive(archive, folder);
  const file = join(folder, 'recording.jsonl');
  try {
    await pipeline(createReadStream(path), createGunzip(), limited(largest), (bytes) =>
      writeFile(file, bytes, { mode: 0o600 }),
    );
  } catch (error) {
    if (!errorCode(error)?.startsWith('Z_')) throw error;
    throw new Error(say('The recording is damaged and cannot be unpacked. Get the file again.'), {
      cause: error,
    });
  }
  return RecordingOnDisk.open(file);
}

function limited(largest: number) {
  return async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let total = 0;
    for await (const bytes of source) {
      total += bytes.length;
      if (total > largest)
        throw new Error(
          say(
            'This file unpacks to more than {0} MB, which is too large to replay.',
            Math.round(largest / 1e6),
          ),
        );
      yield bytes;
    }
  };
}

/** Unpacks an exported session. */
async function fromArchive(archive: ArchiveReader, folder: string): Promise<RecordingOnDisk> {
  const { session } = archive.header;
  const found = new Set<string>();
  try {
    for await (const { file, content } of archive.parts()) {
      if (content instanceof Uint8Array || !WANTED.has(file)) continue;
      found.add(file);
      await writeFile(join(folder, file), content.stream, { mode: 0o600 });
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new Error(say('This file is damaged or incomplete. Get it again to replay it.'), {
      cause: error,
    });
  } finally {
    archive.close();
  }
  if (!found.has('recording.jsonl')) throw notRecorded(session);
  return RecordingOnDisk.open(join(folder, 'recording.jsonl'), join(folder, 'events.jsonl'));
}

const WANTED = new Set(['events.jsonl', 'recording.jsonl']);

function notRecorded(id: string): Error {
  return new Error(say('The session “{0}” was not recorded.', id));
}

/**
 * Replays the recording in a file with the current loop, at full speed unless `pace` is given. Rejects if the
 * file cannot be played.
 */
export async function replayRecording(
  path: string,
  options?: Pick<ReplayOptions, 'listener' | 'pace'>,
): Promise<ReplayResult> {
  const recording = await readRecordingFile(path);
  try {
    return await replayRead(recording, options);
  } finally {
    await recording.close();
  }
}

/** Replays a recording that was opened before. */
export async function replayRead(
  { session }: ReadRecording,
  options?: Pick<ReplayOptions, 'listener' | 'pace'>,
): Promise<ReplayResult> {
  const { replaySession } = await import('../../core/recording/replay/replay-session.ts');
  return replaySession(session, { product: thisProduct, turn: () => systemClock.yield(), ...options });
}
