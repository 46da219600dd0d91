// Creates a session that begins with the events of another one. The user forks to replace an earlier prompt,
// or to continue from any point.

import { type EventDraft, LOG_VERSION, type SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { FILES_OF_NOW } from '../checkpoints/restore/fork-notice.ts';
import { CHAIN_START, link, unlinked } from '../log/hash-chain.ts';
import { Renumbering } from '../log/renumbering.ts';
import { OpenEnds } from './close-open-events.ts';

/** What a fork begins with in addition to the copied events. */
export interface ForkStart {
  readonly cwd: string;
  readonly product: string;
  readonly forkedFrom: { readonly session: string; readonly seq: number };
  /**
   * For the model, with the next prompt. If this is undefined and the fork leaves events out, the model reads
   * `FILES_OF_NOW`.
   */
  readonly toModel?: string | undefined;
}

/** Throws where `past` has no event `seq - 1`, which would be the last one in the fork. */
export function checkFork(past: readonly SessionEvent[], seq: number): void {
  const last = past.at(-1)?.seq ?? 0;
  if (seq < 2 || seq > last + 1) throw new Error(say('This session has no event {0}.', seq - 1));
}

type Events = Iterable<readonly SessionEvent[]> | AsyncIterable<readonly SessionEvent[]>;

/**
 * Yields the lines of the log of session `id`: the events of `past` before `forkedFrom.seq`, with their
 * original times. `past` yields whole events in order. What is open at the end is closed at `now`
 * (milliseconds since the epoch). Leaves out the versions of files that the model knew, so that the model
 * must read the files again.
 */
export async function* linesOfFork(
  id: string,
  past: Events,
  { toModel, ...start }: ForkStart,
  now: number,
): AsyncGenerator<string> {
  const open = new OpenEnds();
  const numbers = new Renumbering();
  let isEmpty = true;
  let head = CHAIN_START;
  const lineOf = (draft: EventDraft, timestamp: number) => {
    const next = link(head, draft, id, timestamp);
    head = next.head;
    return next.line;
  };
  yield lineOf({ type: 'session_started', version: LOG_VERSION, ...start }, now);
  let imported: SessionEvent | undefined;
  let isCut = false;
  for await (const event of eventsOf(past)) {
    const isKept = event.seq < start.forkedFrom.seq && event.type !== 'session_started';
    isCut ||= event.seq >= start.forkedFrom.seq;
    if (!isKept && event.type === 'imported') imported = event;
    if (!isKept) continue;
    open.apply(event);
    isEmpty = false;
    numbers.note(event.seq, head.seq + 1);
    yield lineOf(numbers.apply(forkedDraft(event)), event.timestamp);
  }
  // The events before it came from a file, in the fork too.
  if (imported) yield lineOf(forkedDraft(imported), imported.timestamp);
  const forModel = toModel ?? (isCut && !isEmpty ? FILES_OF_NOW : undefined);
  for (const draft of closing(open, isEmpty, forModel)) yield lineOf(draft, now);
}

async function* eventsOf(past: Events): AsyncGenerator<SessionEvent> {
  for await (const events of past) yield* events;
}

/** Leaves out the versions of the files that the model has read. */
function forkedDraft(event: SessionEvent): EventDraft {
  const draft = unlinked(event);
  if (draft.type !== 'tool_result') return draft;
  const { seen: _seen, ...result } = draft;
  return result;
}

function closing(open: OpenEnds, isEmpty: boolean, toModel: string | undefined): readonly EventDraft[] {
  const notice = forked(
    say('From here on, this is a fork. The original session is unchanged, including what was running.'),
    toModel,
  );
  const drafts = open.close({ cause: 'the session was forked', notice });
  if (drafts.includes(notice) || (isEmpty && toModel === undefined)) return drafts;
  return [
    ...drafts,
    forked(say('From here on, this is a fork. The original session is unchanged.'), toModel),
  ];
}

function forked(message: string, toModel: string | undefined): EventDraft {
  return { type: 'notice', message, ...(toModel !== undefined && { toModel }) };
}
