import { namedBlobs } from '../core/files/named-blobs.ts';
import type { SecretFilter } from '../core/secrets/secret-filter.ts';
import { CHAIN_START, type ChainHead } from '../core/session/chain.ts';
import type { SessionEvent } from '../protocol/events.ts';
import { logLines } from './log-lines.ts';
import { recordOf } from './read-record.ts';

/** What an export has to know of a log before. */
export interface LogSurvey {
  /** Where the last whole line ends: a session may be written meanwhile. */
  readonly bytes: number;
  readonly head: ChainHead;
  /** Nothing in it is damaged. */
  readonly isSound: boolean;
  /** Events that hold a secret. */
  readonly secrets: number;
  /** A secret was hidden when an event was written: what was recorded of that time may hold it, in pieces. */
  readonly hasHidden: boolean;
  /** Names of the bytes and images that its events speak of, but for bytes that were removed to save space. */
  readonly blobs: ReadonlySet<string>;
  readonly attachments: ReadonlySet<string>;
}

/** Reads the log at `path` in bounded memory. */
export async function surveyLog(path: string, filter: SecretFilter): Promise<LogSurvey> {
  const [blobs, attachments] = [new Set<string>(), new Set<string>()];
  let [head, bytes, secrets, isSound, hasHidden] = [CHAIN_START, 0, 0, true, false];
  for await (const lines of logLines(path)) {
    for (const line of lines.filter(({ isEnded }) => isEnded)) {
      const record = recordOf(line);
      isSound &&= record?.prev === head.hash && record.seq === head.seq + 1;
      head = { seq: head.seq + 1, hash: line.hash() };
      bytes = line.at + line.length + 1;
      hasHidden ||= line.bytes.includes('[redacted:');
      if (!record?.event) continue;
      if (filter.draft(record.event) !== record.event) secrets += 1;
      if (record.event.type === 'trimmed') blobs.clear();
      for (const hash of namedBlobs([record.event])) blobs.add(hash);
      for (const name of attachmentsOf(record.event)) attachments.add(name);
    }
  }
  return { bytes, head, isSound, secrets, hasHidden, blobs, attachments };
}

function attachmentsOf(event: SessionEvent): readonly string[] {
  return event.type === 'user' ? (event.attachments ?? []) : [];
}
