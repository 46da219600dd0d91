import { CHAIN_START, type ChainHead, hashLine } from '../core/session/chain.ts';
import type { EventDraft } from '../protocol/events.ts';
import { logLines, type Stretch } from './log-lines.ts';
import { recordOf } from './read-record.ts';

export interface Relinked {
  /** Without its line feed. */
  readonly line: string;
  readonly head: ChainHead;
}

/**
 * The lines of the log at `path` as those of session `session`, each with what `change` makes of it, numbered and chained
 * anew. Damaged ones are left out; those of a type that this version does not know are kept.
 */
export async function* relinkedLines(
  path: string,
  session: string,
  change: (draft: EventDraft) => EventDraft,
  stretch: Stretch = {},
): AsyncGenerator<Relinked> {
  let head = CHAIN_START;
  for await (const lines of logLines(path, stretch)) {
    for (const line of lines) {
      if (!recordOf(line)) continue;
      // An event of another version has a type and fields too.
      const event = change(JSON.parse(line.bytes.toString()) as EventDraft);
      const text = JSON.stringify({ ...event, session, seq: head.seq + 1, prev: head.hash });
      head = { seq: head.seq + 1, hash: hashLine(text) };
      yield { line: text, head };
    }
  }
}
