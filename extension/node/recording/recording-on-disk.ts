import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Entry, RecordingHeader } from '../../core/recording/entry.ts';
import type { RecordedLog, RecordedSession } from '../../core/recording/recorded-session.ts';
import { headerOf, isRecordingEntry, type RecordingLine } from '../../core/recording/recording-lines.ts';
import { say } from '../../protocol/say.ts';
import { logLines } from '../log/log-lines.ts';
import { type LinePlace, readRecordingLine, recordingLines } from '../log/recording-lines.ts';

/** The largest number of blobs and log lines that Harness indexes. */
const MOST = 5_000_000;

/**
 * A recording in a file. The log is in the same file or in another one. Memory holds only the places of lines
 * and what is being played.
 */
export class RecordingOnDisk implements RecordedSession {
  readonly header: RecordingHeader;
  readonly log: RecordedLog;
  /** The first damaged line; the lines before it are played. Undefined if no line is damaged. */
  readonly damagedAt: number | undefined;
  readonly #source: Source;
  readonly #file: FileHandle;
  readonly #logFile: FileHandle;
  readonly #blobs: ReadonlyMap<string, LinePlace>;

  /** Rejects with an error for the user. The caller must close the result. */
  static async open(path: string, log?: string): Promise<RecordingOnDisk> {
    // Ignores later entries: the log that is read below may not have their events yet.
    const bytes = (await stat(path)).size;
    const found = await lookThrough(path, bytes);
    const places = log === undefined ? found.log : await placesIn(log);
    const file = await open(path);
    const logFile = log === undefined ? file : await openBeside(file, log);
    return new RecordingOnDisk({ path, bytes }, { ...found, log: places }, file, logFile);
  }

  private constructor(source: Source, found: Contents, file: FileHandle, logFile: FileHandle) {
    this.header = found.header;
    this.damagedAt = found.damagedAt;
    this.#source = source;
    this.#file = file;
    this.#logFile = logFile;
    this.#blobs = found.blobs;
    this.log = {
      length: found.log.length,
      lines: (first, last) => this.#logLines(found.log.slice(first - 1, last)),
    };
  }

  get id(): string {
    return this.header.session;
  }

  async *entries(): AsyncGenerator<Entry | RecordingHeader> {
    for await (const { content } of recordingLines(this.#source.path, { to: this.#source.bytes }))
      if (content && isRecordingEntry(content)) yield content;
  }

  readonly fetch = async (hash: string): Promise<Uint8Array> => {
    const place = this.#blobs.get(hash);
    if (!place)
      throw new Error(say('The recording is incomplete: data is missing ({0}).', hash.slice(0, 12)));
    // `lookThrough` found a blob at this place.
    const { bytes } = JSON.parse(await readRecordingLine(this.#file, place)) as Blob;
    return Buffer.from(bytes, 'base64');
  };

  async close(): Promise<void> {
    await this.#file.close();
    if (this.#logFile !== this.#file) await this.#logFile.close();
  }

  async #logLines(places: readonly LinePlace[]): Promise<readonly string[]> {
    const isApart = this.#logFile !== this.#file;
    return Promise.all(
      places.map(async (place) => {
        const text = await readRecordingLine(this.#logFile, place);
        // `lookThrough` found a line of the log at this place.
        return isApart ? text : (JSON.parse(text) as Extract<RecordingLine, { kind: 'log' }>).line;
      }),
    );
  }
}

/** Opens a second file. Closes the first one if this fails. */
async function openBeside(first: FileHandle, path: string): Promise<FileHandle> {
  return open(path).catch(async (error: unknown) => {
    await first.close();
    throw error;
  });
}

type Blob = Extract<RecordingLine, { kind: 'blob' }>;

/** A file and its size when it was opened. The file may grow, because the session may still run. */
interface Source {
  readonly path: string;
  readonly bytes: number;
}

interface Contents {
  readonly header: RecordingHeader;
  readonly blobs: ReadonlyMap<string, LinePlace>;
  readonly log: readonly LinePlace[];
  readonly damagedAt: number | undefined;
}

async function lookThrough(path: string, bytes: number): Promise<Contents> {
  const blobs = new Map<string, LinePlace>();
  const log: LinePlace[] = [];
  let header: RecordingHeader | undefined;
  let damagedAt: number | undefined;
  for await (const { content, place, number } of recordingLines(path, { to: bytes })) {
    if (content?.kind === 'recording') header ??= content;
    if (!content) damagedAt ??= number;
    else if (content.kind === 'blob') blobs.set(content.hash, place);
    else if (content.kind === 'log') log.push(place);
    if (blobs.size + log.length > MOST) throw new Error(say('This recording has too many parts to replay.'));
  }
  return { header: header ?? headerOf(''), blobs, log, damagedAt };
}

async function placesIn(log: string): Promise<readonly LinePlace[]> {
  const places: LinePlace[] = [];
  for await (const lines of logLines(log)) for (const { at, length } of lines) places.push({ at, length });
  return places;
}
