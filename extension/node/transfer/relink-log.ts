import { CHAIN_START, type ChainHead, hashLine } from '../../core/log/hash-chain.ts';
import { Renumbering } from '../../core/log/renumbering.ts';
import type { EventDraft, SessionEvent } from '../../protocol/events.ts';
import type { LogLine } from '../log/log-lines.ts';
import { recordOf } from '../log/read-record.ts';
import type { TimedDraft } from '../sessions/missing-header.ts';

export interface Relinked {
  /** Without its line feed. */
  readonly line: string;
  readonly head: ChainHead;
}

interface Relinking {
  /** What each event becomes. */
  readonly change?: (draft: EventDraft) => EventDraft;
  /** Comes first, since the log has lost its own. */
  readonly header?: TimedDraft | undefined;
}

/**
 * The `lines` of a log as those of session `session`, numbered and chained anew. Damaged ones are left out; those
 * of a type that this version does not know are kept.
 */
export async function* relinkedLines(
  lines: AsyncIterable<readonly LogLine[]>,
  session: string,
  { change = (draft) => draft, header }: Relinking = {},
): AsyncGenerator<Relinked> {
  const numbers = new Renumbering();
  let head = CHAIN_START;
  const next = (event: EventDraft) => {
    const line = JSON.stringify({ ...event, session, seq: head.seq + 1, prev: head.hash });
    head = { seq: head.seq + 1, hash: hashLine(line) };
    return { line, head };
  };
  if (header) yield next(header);
  for await (const some of lines) {
    for (const line of some) {
      if (!recordOf(line)) continue;
      // An event of another version has a type, a number and fields too.
      const event = JSON.parse(line.bytes.toString()) as SessionEvent;
      numbers.note(event.seq, head.seq + 1);
      yield next(change(numbers.apply(event)));
    }
  }
}
