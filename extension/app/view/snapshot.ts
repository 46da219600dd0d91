// Builds the message that a page gets when it starts, is shown again, or has missed events.
import type { LogWindow } from '../../core/view/log-window.ts';
import { emptyHead } from '../../protocol/head.ts';
import type { HostMessage, PanelState } from '../../protocol/messages.ts';

type Snapshot = Extract<HostMessage, { type: 'snapshot' }>;

/** A page that missed more events than this starts over. */
const MAX_MISSED = 2_000;
/** Lines of the session that a new page gets first: more than a tall window shows. */
const FIRST_LINES = 120;

/**
 * The events after event `after`. If these are too many, or if the page has events that the log lacks, the
 * newest part of the session instead.
 */
export function snapshotOf(log: LogWindow, state: PanelState, after: number): Snapshot {
  const missed = 0 < after && after <= (log.events.at(-1)?.seq ?? 0) ? log.after(after) : undefined;
  if (missed === undefined || missed.length > MAX_MISSED) return { ...newestOf(log, state), head: log.head };
  const { head, lines } = log;
  const from = Math.max(0, log.tail(FIRST_LINES));
  return {
    type: 'snapshot',
    state,
    head,
    lines,
    after,
    from,
    starts: log.startsAmong(missed),
    events: [...missed],
  };
}

/**
 * The snapshot of a session that is not read whole. Its head is empty: the whole log may have an outcome for
 * what looks open here.
 */
export function snapshotOfEnd(end: LogWindow, state: PanelState): Snapshot {
  return { ...newestOf(end, state), isEnd: true };
}

function newestOf(log: LogWindow, state: PanelState): Snapshot {
  const from = Math.max(0, log.tail(FIRST_LINES));
  const events = [...log.sectionsFrom(from)];
  const { lines } = log;
  return {
    type: 'snapshot',
    state,
    head: emptyHead,
    lines,
    after: 0,
    from,
    starts: log.startsAmong(events),
    events,
  };
}
