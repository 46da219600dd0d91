// What a page is given of a session when it begins, comes back, or has missed something.
import type { LogWindow } from '../../core/view/log-window.ts';
import { emptyHead } from '../../protocol/head.ts';
import type { HostMessage, PanelState } from '../../protocol/messages.ts';

type Snapshot = Extract<HostMessage, { type: 'snapshot' }>;

/** Events; a page that has missed more begins anew. */
const MAX_MISSED = 2_000;
/** Lines of the session that a new page is given at once: more than a high window holds. */
const FIRST_LINES = 120;

/** What the page misses after event `after`; the session's newest part where that is much, or the page holds more than there is. */
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

/** What has no outcome yet may get one when the whole is read, so nothing is said of where the session stands. */
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
