import { CHAIN_START } from '../../core/log/hash-chain.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { type LogLine, LongLineError, logLines } from './log-lines.ts';
import { type LogRecord, readRecord } from './read-record.ts';

export interface LogProblem {
  /** Counted from 1, without empty lines. */
  readonly line: number;
  /** Offset of that line in the file, in bytes. */
  readonly at: number;
  /** One sentence. */
  readonly message: string;
}

/** The result of verifying a whole log. */
export interface LogReport {
  /** Number of intact records, including those of a type that this version does not know. */
  readonly events: number;
  /** Bytes of the log up to a line that is too long, behind which nothing is read. */
  readonly bytes: number;
  /** SHA-256 (hex) of the last intact line, which vouches for all of them; empty if there is none. */
  readonly head: string;
  /** Number of that line; 0 if there is none. */
  readonly last: number;
  /** The session id in the records, and the working folder at the end; empty if no record has one. */
  readonly session: string;
  readonly cwd: string;
  /** The first hundred problems; empty for a sound log. */
  readonly problems: readonly LogProblem[];
  /** Damage in the logs from which this log was imported, as its records state it. */
  readonly inherited: readonly LogProblem[];
}

const MOST_PROBLEMS = 100;

/**
 * Reads the whole log at `path` in bounded memory, and changes nothing. Rejects if the file cannot be read.
 * Calls `onEvent` with each intact event of a type that this version knows.
 */
export async function verifyLog(path: string, onEvent?: (event: SessionEvent) => void): Promise<LogReport> {
  const check = new LogCheck(onEvent);
  try {
    for await (const lines of logLines(path)) for (const line of lines) check.take(line);
  } catch (error) {
    if (!(error instanceof LongLineError)) throw error;
    check.refuse(error);
  }
  return check.report();
}

class LogCheck {
  readonly #problems: LogProblem[] = [];
  readonly #inherited: LogProblem[] = [];
  #head = CHAIN_START;
  #session: string | undefined;
  #cwd = '';
  #lines = 0;
  #events = 0;
  #bytes = 0;
  readonly #onEvent: (event: SessionEvent) => void;

  constructor(onEvent: (event: SessionEvent) => void = () => {}) {
    this.#onEvent = onEvent;
  }

  take(line: LogLine): void {
    this.#lines += 1;
    this.#bytes = line.at + line.length + (line.isEnded ? 1 : 0);
    const record = readRecord(line.bytes);
    if (record) this.#check(line, record);
    else this.#report(line, say('This record cannot be read.'));
    if (!line.isEnded)
      this.#report(line, say('The last record is incomplete: the process that wrote it ended.'));
  }

  /** Reports a line that is too long. Nothing behind it is read. */
  refuse({ at }: LongLineError): void {
    this.#lines += 1;
    this.#report(
      { at },
      say(
        'The log cannot be opened: this line is longer than 16 MB, and Harness never writes such a line. Replace the file with an older copy, or remove this line and everything after it.',
      ),
    );
  }

  report(): LogReport {
    if (this.#events === 0 && this.#lines === 0) this.#report({ at: 0 }, say('The log is empty.'));
    return {
      events: this.#events,
      bytes: this.#bytes,
      head: this.#head.hash,
      last: this.#head.seq,
      session: this.#session ?? '',
      cwd: this.#cwd,
      problems: this.#problems,
      inherited: this.#inherited,
    };
  }

  #check(line: LogLine, record: LogRecord): void {
    if (this.#events === 0 && record.event?.type !== 'session_started')
      this.#report(line, say('The first record does not start a session.'));
    if (record.prev !== this.#head.hash)
      this.#report(
        line,
        say('This record does not follow the one before it: a record was changed, removed or inserted.'),
      );
    if (record.seq !== this.#head.seq + 1)
      this.#report(line, say('This record has number {0} instead of {1}.', record.seq, this.#head.seq + 1));
    this.#session ??= record.session;
    if (record.session !== this.#session)
      this.#report(line, say('This record belongs to another session, “{0}”.', record.session));
    const { event } = record;
    if (event) this.#onEvent(event);
    if (event?.type === 'session_started' || event?.type === 'imported') this.#cwd = event.cwd;
    if (event?.type === 'imported' && event.from.damaged)
      this.#report(
        line,
        say(
          'Everything before this record was imported from a log that was damaged, or changed by another program.',
        ),
        this.#inherited,
      );
    this.#events += 1;
    this.#head = { seq: record.seq, hash: line.hash() };
  }

  #report({ at }: Pick<LogLine, 'at'>, message: string, list = this.#problems): void {
    if (list.length < MOST_PROBLEMS) list.push({ line: Math.max(this.#lines, 1), at, message });
  }
}
