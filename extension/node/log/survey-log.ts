import { blobHashesIn, prefixIn } from '../../core/checkpoints/blob-names.ts';
import { CHAIN_START, type ChainHead } from '../../core/log/hash-chain.ts';
import type { SecretFilter } from '../../core/secrets/secret-filter.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { isBeginning } from './joined-records.ts';
import { type LogLine, logLines } from './log-lines.ts';
import { recordOf } from './read-record.ts';

/** What an export has to know of a log before. */
export interface LogSurvey {
  /** Where the last whole record ends: a session may be written meanwhile. */
  readonly bytes: number;
  readonly head: ChainHead;
  /** The first event that is intact. */
  readonly first: SessionEvent | undefined;
  /** It begins as a log does, and nothing in it is damaged. */
  readonly isSound: boolean;
  /** The same but for the last line feed, without which nothing is missing. */
  readonly isWhole: boolean;
  /** The names that its records give to the session: more than one, or another one, in a copy of a session's folder. */
  readonly sessions: ReadonlySet<string>;
  /** Events that hold a secret; 0 where nothing was looked for. */
  readonly secrets: number;
  /** A secret was hidden when an event was written: what was recorded of that time may hold it, in pieces. */
  readonly hasHidden: boolean;
  /** Names of the bytes and images that its events speak of, but for bytes that were removed to save space. */
  readonly blobs: ReadonlySet<string>;
  readonly attachments: ReadonlySet<string>;
  /** Of all bytes, those that are no version of a file, but what requests began with. */
  readonly prefixes: ReadonlySet<string>;
  /** Names of bytes that were removed to save space. They may have come back from a file. */
  readonly removed: ReadonlySet<string>;
}

/** Reads the log at `path`, or these lines of it, in bounded memory; what `filter` would hide is counted. */
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

  /** The event of the line, where it holds one that this version knows. */
  take(line: LogLine): SessionEvent | undefined {
    const record = recordOf(line);
    // Its writer is about to end it, or died.
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
      // In the order in which they were named last.
      this.blobs.delete(hash);
      this.blobs.add(hash);
      this.removed.delete(hash);
    }
    const prefix = prefixIn(event);
    if (prefix !== undefined) this.prefixes.add(prefix);
    if (event.type === 'user') for (const name of event.attachments ?? []) this.attachments.add(name);
  }
}
