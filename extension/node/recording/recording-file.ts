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
  /** Its name. */
  readonly session: string;
  /** What records it. */
  readonly product: string;
  readonly logger: Pick<Logger, 'warn'>;
  /** Rejects where it has to end: somebody else may be writing it. */
  readonly mayWrite?: () => Promise<void> | undefined;
}

/** Opens the recording beside a log in the folder `sessions`. It ends when another process writes the session. */
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
 * A recording that is written while the session runs, and not in its way: what is told in one turn of the process is put into
 * lines in the next. One that cannot be written says so once, and ends there.
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
    // An earlier process may have died in the middle of a line.
    this.#follow(this.#file.append('\n'));
    this.#add(() => headerOf(options));
  }

  write(entry: Entry): void {
    this.#add(() => entry);
  }

  /** A line of the session's log, for a file that has everything in it. */
  log(line: string): void {
    this.#add(() => ({ kind: 'log', line }));
  }

  keep(hash: string, bytes: Uint8Array): void {
    if (this.#hasFailed || this.#kept.has(hash)) return;
    this.#kept.add(hash);
    this.#add(() => ({ kind: 'blob', hash, bytes: Buffer.from(bytes).toString('base64') }));
  }

  /** Resolves when everything is written that can be. Never rejects. */
  async written(): Promise<void> {
    if (this.#waiting.length > 0) this.#flush();
    await this.#writes;
  }

  /** The same; nothing is written any more. */
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
      say('The session is not recorded any more: {0.}. What was recorded until now can be played.', reason),
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

  /** The newest write ends after all others. */
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
