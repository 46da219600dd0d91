import { blobsIn } from '../../core/recording/encode.ts';
import { anyHeaderOf, isRecordingEntry } from '../../core/recording/recording-lines.ts';
import { say } from '../../protocol/say.ts';
import { errorCode } from '../fs/file-errors.ts';
import { hashOfBlob, type LineThere, recordingLines } from '../log/recording-lines.ts';
import { RecordedTimes } from './recorded-times.ts';

export interface RecordingProblem {
  /** `line` is counted from 1, without empty lines. `at` is the byte where the line begins. */
  readonly line?: number;
  readonly at?: number;
  /** One sentence. */
  readonly message: string;
}

/** The result of checking a whole recording. */
export interface RecordingReport {
  /** The number of lines that can be played. */
  readonly lines: number;
  readonly bytes: number;
  /** The recording ends within a line: its process died, or the power failed. */
  readonly isCut: boolean;
  /** The first hundred problems. Empty if the recording can be played to its end. */
  readonly problems: readonly RecordingProblem[];
}

const MOST_PROBLEMS = 100;

/**
 * Checks the first `bytes` bytes of the recording at `path`. It changes nothing, and holds only the names of
 * blobs in memory. `times` are the timestamps of the log's events, in milliseconds since the epoch; undefined
 * if they are unknown. Rejects if the file cannot be read.
 */
export async function verifyRecording(
  path: string,
  times: readonly number[] | undefined,
  bytes: number,
): Promise<RecordingReport> {
  const check = new RecordingCheck(path, times);
  try {
    for await (const line of recordingLines(path, { readHeader: anyHeaderOf, to: bytes }))
      await check.take(line);
  } catch (error) {
    if (errorCode(error) !== undefined) throw error;
    check.addProblem((error as Error).message);
  }
  return { bytes, ...check.report() };
}

class RecordingCheck {
  readonly #path: string;
  readonly #times: RecordedTimes<LineThere> | undefined;
  readonly #problems: RecordingProblem[] = [];
  readonly #kept = new Set<string>();
  readonly #named = new Set<string>();
  #lines = 0;
  /**
   * The first damaged line since a process began to record, and the number of lines after it. If there are
   * none, the process died in that line.
   */
  #damaged: { readonly line: LineThere; readonly behind: number } | undefined;

  constructor(path: string, times: readonly number[] | undefined) {
    this.#path = path;
    this.#times = times && new RecordedTimes(times);
  }

  async take(line: LineThere): Promise<void> {
    const { content } = line;
    if (!content) {
      this.#takeUnplayed(line);
      return;
    }
    this.#lines += 1;
    if (content.kind === 'recording') this.#damaged = undefined;
    else if (content.kind === 'blob') await this.#takeBlob(content.hash, line);
    else if (isRecordingEntry(content)) {
      for (const hash of blobsIn(content)) this.#named.add(hash);
      this.#times?.take(content, line);
    }
  }

  addProblem(message: string, line?: LineThere): void {
    if (this.#problems.length >= MOST_PROBLEMS) return;
    this.#problems.push({ ...(line && { line: line.number, at: line.place.at }), message });
  }

  report(): Omit<RecordingReport, 'bytes'> {
    const stray = this.#times?.stray;
    if (stray) this.addProblem(stray.message, stray.where);
    for (const hash of this.#named)
      if (!this.#kept.has(hash))
        this.addProblem(say('The recording is incomplete: data is missing ({0}).', hash.slice(0, 12)));
    return { lines: this.#lines, isCut: this.#damaged?.behind === 0, problems: this.#problems };
  }

  #takeUnplayed(line: LineThere): void {
    if (this.#damaged?.behind === 0)
      this.addProblem(
        say('This line is damaged. What was recorded after it cannot be replayed.'),
        this.#damaged.line,
      );
    this.#damaged = this.#damaged
      ? { ...this.#damaged, behind: this.#damaged.behind + 1 }
      : { line, behind: 0 };
  }

  async #takeBlob(hash: string, line: LineThere): Promise<void> {
    this.#kept.add(hash);
    if ((await hashOfBlob(this.#path, line.place)) === hash) return;
    this.addProblem(say('The data in this line differs from what was recorded.'), line);
  }
}
