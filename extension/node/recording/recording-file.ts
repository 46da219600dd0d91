import { sep } from 'node:path';
import type { Logger } from '../../core/ports/logger.ts';
import type { SessionLog } from '../../core/ports/session-store.ts';
import { type Entry, RECORDING_VERSION, type RecordingHeader } from '../../core/recording/entry.ts';
import type { RecordingLine } from '../../core/recording/recording-lines.ts';
import type { RecordingSink } from '../../core/recording/recording-sink.ts';
import { LOG_VERSION } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { AppendFile } from '../fs/append-file.ts';
import { recordingOf } from '../log/session-files.ts';

export interface RecordingFileOptions {
  readonly path: string;
  /** The name of the session. */
  readonly session: string;
  /** The product that records. */
  readonly product: string;
  readonly logger: Pick<Logger, 'warn'>;
  /** Rejects if the recording must end, because another process may be writing the file. */
  readonly mayWrite?: () => Promise<void> | undefined;
}

/**
 * Returns a function that opens the recording of a log, next to it in the folder `sessions`. The recording
 * ends when another process writes the session.
 */
export function recordingsIn(sessions: string, product: string) {
  return (log: SessionLog, logger: Logger): RecordingFile =>
    new RecordingFile({
      path: recordingOf(sessions, log.id),
      session: log.id,
      product,
      logger,
      mayWrite: () => (log.trouble === undefined ? undefined : Promise.reject(new Error(log.trouble))),
    });
}

/**
 * Writes a recording while the session runs. Encodes entries in a later turn of the event loop, so that the
 * session does not wait. If it cannot write, it warns once and ends the recording.
 */
export class RecordingFile implements RecordingSink {
  readonly #options: RecordingFileOptions;
  readonly #file: AppendFile;
  readonly #kept = new Set<string>();
  #waiting: (() => RecordingLine)[] = [];
  #writes = Promise.resolve();
  #hasFailed = false;

  constructor(options: RecordingFileOptions) {
    this.#options = options;
    const { path, mayWrite = () => undefined } = options;
    this.#file = new AppendFile(path, { isSpare: true, mayWrite });
    // Ends a partial line, because an earlier process may have died in the middle of it.
    this.#follow(this.#file.append('\n'));
    this.#add(() => headerOf(options));
  }

  write(entry: Entry): void {
    this.#add(() => entry);
  }

  /** Adds a line of the session's log, for a file that stands alone. */
  log(line: string): void {
    this.#add(() => ({ kind: 'log', line }));
  }

  keep(hash: string, bytes: Uint8Array): void {
    if (this.#hasFailed || this.#kept.has(hash)) return;
    this.#kept.add(hash);
    this.#add(() => ({ kind: 'blob', hash, bytes: Buffer.from(bytes).toString('base64') }));
  }

  /** Resolves when everything that can be written is written. Never rejects. */
  async written(): Promise<void> {
    if (this.#waiting.length > 0) this.#flush();
    await this.#writes;
  }

  /** Awaits all writes and closes the file. Never rejects. */
  async close(): Promise<void> {
    await this.written();
    await this.#file.close().catch(() => undefined);
  }

  fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#waiting = [];
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.logger.warn(
      say('Harness stopped recording this session: {0.}. You can replay the part recorded so far.', reason),
    );
  }

  #add(line: () => RecordingLine): void {
    if (this.#hasFailed) return;
    this.#waiting.push(line);
    if (this.#waiting.length === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const lines = this.#waiting.map((line) => `${JSON.stringify(line())}\n`);
    this.#waiting = [];
    if (lines.length > 0) this.#follow(this.#file.append(lines.join('')));
  }

  /** `AppendFile` writes in order, so the newest write ends last. */
  #follow(written: Promise<void>): void {
    this.#writes = written.catch((error: unknown) => this.fail(error));
  }
}

function headerOf({ session, product }: RecordingFileOptions): RecordingHeader {
  const about = {
    version: RECORDING_VERSION,
    product,
    separator: sep,
    node: process.version,
    log: LOG_VERSION,
  };
  return { kind: 'recording', ...about, session };
}
