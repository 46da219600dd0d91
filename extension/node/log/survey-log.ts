import { blobHashesIn, prefixIn } from '../../core/checkpoints/blob-names.ts';
import { CHAIN_START, type ChainHead } from '../../core/log/hash-chain.ts';
import type { SecretFilter } from '../../core/secrets/secret-filter.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { isBeginning } from './joined-records.ts';
import { type LogLine, logLines } from './log-lines.ts';
import { recordOf } from './read-record.ts';

/** What an export must know about a log before it starts. */
export interface LogSurvey {
  /** The byte behind the last whole record. Another process may be writing the session. */
  readonly bytes: number;
  readonly head: ChainHead;
  /** The first intact event. */
  readonly first: SessionEvent | undefined;
  /** The log begins with `session_started`, and nothing in it is damaged. */
  readonly isSound: boolean;
  /** Like `isSound`, but true even if only the last line feed is missing. */
  readonly isWhole: boolean;
  /** The session ids in its records. In a copied session folder, there are several or a different one. */
  readonly sessions: ReadonlySet<string>;
  /** Number of events that hold a secret; 0 without a filter. */
  readonly secrets: number;
  /**
   * A secret was masked when an event was written. The recording of that time may hold the secret in pieces.
   */
  readonly hasHidden: boolean;
  /** Names of the bytes and images that its events name, except bytes that were removed to save space. */
  readonly blobs: ReadonlySet<string>;
  readonly attachments: ReadonlySet<string>;
  /** Names of bytes that are the beginnings of requests, and not versions of files. */
  readonly prefixes: ReadonlySet<string>;
  /** Names of bytes that were removed to save space. An import from a file may have brought them back. */
  readonly removed: ReadonlySet<string>;
}

/**
 * Surveys the log at `path`, or the given lines of it, in bounded memory. Counts the events in which `filter`
 * would mask something.
 */
export async function surveyLog(
  path: string,
  filter?: SecretFilter,
  lines: AsyncIterable<readonly LogLine[]> = logLines(path),
): Promise<LogSurvey> {
  const survey = new Survey();
  for await (const some of lines) {
    for (const line of some) {
      const event = survey.take(line);
      if (event && filter && filter.leaving(event) !== event) survey.secrets += 1;
    }
  }
  return survey;
}

class Survey implements LogSurvey {
  bytes = 0;
  head = CHAIN_START;
  first: SessionEvent | undefined;
  secrets = 0;
  hasHidden = false;
  readonly sessions = new Set<string>();
  readonly blobs = new Set<string>();
  readonly attachments = new Set<string>();
  readonly prefixes = new Set<string>();
  readonly removed = new Set<string>();
  #isChained = true;
  #isEnded = true;

  get isSound(): boolean {
    return this.isWhole && this.#isEnded;
  }

  get isWhole(): boolean {
    return this.#isChained && this.first?.type === 'session_started';
  }

  /** Returns the event of the line, if this version knows its type. */
  take(line: LogLine): SessionEvent | undefined {
    const record = recordOf(line);
    // The writer has not finished this line, or died.
    if (!record && !line.isEnded) {
      this.#isChained &&= isBeginning(line);
      return undefined;
    }
    const { seq, hash } = this.head;
    this.#isChained &&= record?.prev === hash && record.seq === seq + 1;
    this.#isEnded = line.isEnded;
    this.head = { seq: seq + 1, hash: line.hash() };
    this.bytes = line.at + line.length + (line.isEnded ? 1 : 0);
    this.hasHidden ||= line.bytes.includes('[redacted:');
    if (record) this.sessions.add(record.session);
    const event = record?.event;
    if (!event) return undefined;
    this.first ??= event;
    this.#note(event);
    return event;
  }

  #note(event: SessionEvent): void {
    if (event.type === 'trimmed') {
      for (const hash of this.blobs) this.removed.add(hash);
      this.blobs.clear();
    }
    for (const hash of blobHashesIn([event])) {
      // Keeps the names in the order of their last mention.
      this.blobs.delete(hash);
      this.blobs.add(hash);
      this.removed.delete(hash);
    }
    const prefix = prefixIn(event);
    if (prefix !== undefined) this.prefixes.add(prefix);
    if ('attachments' in event) for (const name of event.attachments ?? []) this.attachments.add(name);
  }
}
