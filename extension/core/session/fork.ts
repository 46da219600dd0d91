// A session that begins with the events of another one up to a prompt, so that another prompt can take its place.

import { type EventDraft, LOG_VERSION, type SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { CHAIN_START, link } from './chain.ts';
import { closeInterrupted } from './recovery.ts';

/** What a fork begins with, besides the events. */
export interface ForkStart {
  readonly cwd: string;
  readonly product: string;
  readonly forkedFrom: { readonly session: string; readonly seq: number };
}

const FORKED = {
  type: 'notice',
  message: say(
    'From here on this is another session: an earlier prompt was edited. The first one is kept as it was.',
  ),
} as const;

/**
 * The lines of the log of session `id`: what `past` holds before event `forkedFrom.seq`, with the times of then, and what
 * is open there closed at `now` (milliseconds since the epoch). The versions of files are left out, so that the model has
 * to read them again. Throws where that event is no prompt.
 */
export function linesOfFork(
  id: string,
  past: readonly SessionEvent[],
  start: ForkStart,
  now: number,
): readonly string[] {
  const { seq } = start.forkedFrom;
  if (!past.some((event) => event.seq === seq && event.type === 'user'))
    throw new Error(say('This prompt is no longer in the session.'));
  const kept = past.filter((event) => event.seq < seq && event.type !== 'session_started');
  let head = CHAIN_START;
  const lineOf = (draft: EventDraft, timestamp: number) => {
    const next = link(head, draft, id, timestamp);
    head = next.head;
    return next.line;
  };
  return [
    lineOf({ type: 'session_started', version: LOG_VERSION, ...start }, now),
    ...kept.map((event) => lineOf(draftOf(event), event.timestamp)),
    ...closing(kept).map((draft) => lineOf(draft, now)),
  ];
}

function draftOf({
  seq: _seq,
  prev: _prev,
  session: _session,
  timestamp: _time,
  ...rest
}: SessionEvent): EventDraft {
  // An event is a draft with its place in a log.
  const draft = rest as EventDraft;
  if (draft.type !== 'tool_result') return draft;
  const { seen: _seen, ...result } = draft;
  return result;
}

function closing(kept: readonly SessionEvent[]): readonly EventDraft[] {
  const drafts = closeInterrupted(kept, { cause: 'the session was forked', told: FORKED });
  return drafts.includes(FORKED) || kept.length === 0 ? drafts : [...drafts, FORKED];
}
