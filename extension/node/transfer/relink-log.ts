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
  /** Transforms each event. */
  readonly change?: (draft: EventDraft) => EventDraft;
  /** The first event, for a log that has lost its own. */
  readonly header?: TimedDraft | undefined;
}

/**
 * Numbers and chains the `lines` of a log anew, as those of session `session`. Leaves out damaged lines.
 * Keeps lines of a type that this version does not know.
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
      // The cast is safe for an event of another version, which has a type, a number and fields, too.
      const event = JSON.parse(line.bytes.toString()) as SessionEvent;
      numbers.note(event.seq, head.seq + 1);
      yield next(change(numbers.apply(event)));
    }
  }
}
