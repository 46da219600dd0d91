// Keeps a view in sync with the host's log: drops duplicate events and requests missing ones.
import type { SessionEvent } from '../../extension/protocol/events.ts';
import type { HostMessage } from '../../extension/protocol/messages.ts';
import { applyDelta, catchUpGrowing } from './apply-delta.ts';
import { applyEvent } from './apply-event.ts';
import type { Incoming } from './channel.ts';
import { emptySection, newestSection, type Section, type View } from './parts.ts';
import { createPast } from './past.ts';
import type { SyncTarget } from './sync-target.ts';

export interface SyncOptions {
  /** The session that the page showed before it was reloaded; empty for none. */
  readonly session: string;
  /** The reader was not at the end of the session, so the page needs more than the end. */
  readonly isReading: boolean;
  /** Sends `ready`; the host answers with a snapshot. */
  askHost(session: string, lastSeq: number): void;
  /** Called for a live event, but not for the events of a snapshot. */
  onEvent(event: SessionEvent): void;
}

export interface Sync {
  receive(incoming: Incoming): void;
  requestMissing(): void;
}

type MessageOf<T extends HostMessage['type']> = Extract<HostMessage, { type: T }>;

export function createSync(target: SyncTarget, options: SyncOptions): Sync {
  let { session } = options;
  let lastSeq = 0;
  let waiting = false;
  const past = createPast(target);

  const requestMissing = () => {
    waiting = true;
    options.askHost(session, lastSeq);
  };

  const takeSnapshot = (message: MessageOf<'snapshot'>, newest: number) => {
    const whole = message.after === 0 || message.state.session !== session;
    if (!whole && message.after > lastSeq) return requestMissing();
    if (message.isEnd && options.isReading && message.state.session === options.session) return;
    // If the panel shows the past, the host sends that again.
    past.leave();
    target.setPanel(message.state);
    target.setHead(message.head);
    if (whole) target.replace(viewOf(message));
    else target.change((view) => catchUp(view, message, lastSeq));
    session = message.state.session;
    lastSeq = whole ? newest : Math.max(lastSeq, newest);
    waiting = false;
    target.countSnapshot();
  };

  const takeState = ({ state }: MessageOf<'state'>) => {
    // The snapshot contains a state that is at least as new, with its session.
    if (waiting) return;
    target.setPanel(state);
    if (state.session === session) return;
    session = state.session;
    lastSeq = 0;
    requestMissing();
  };

  const takeSection = (message: MessageOf<'section'>) => {
    if (message.session === session) target.change((view) => addSection(view, message));
  };

  const takePast = (message: MessageOf<'past'>) => {
    if (waiting || message.session !== session) return;
    past.take(message);
    // The events that arrived meanwhile are missing.
    if (!message.at) requestMissing();
  };

  const takeUpdate = (message: MessageOf<'update'>, { firstSeq, lastSeq: newest }: Incoming) => {
    if (waiting || message.events.some((event) => event.session !== session)) return;
    if (firstSeq > lastSeq + 1) return requestMissing();
    const events = message.events.filter(({ seq }) => seq > lastSeq);
    const deltas = message.deltas.filter((delta) => delta.session === session);
    target.change((view) => advance(view, { ...message, events, deltas }));
    if (message.head) target.setHead(message.head);
    lastSeq = Math.max(lastSeq, newest);
    events.forEach(options.onEvent);
  };

  return {
    requestMissing,
    receive(incoming) {
      const { message } = incoming;
      if (message.type === 'snapshot') takeSnapshot(message, incoming.lastSeq);
      else if (message.type === 'state') takeState(message);
      else if (message.type === 'section') takeSection(message);
      else if (message.type === 'past') takePast(message);
      else if (message.type === 'update') takeUpdate(message, incoming);
    },
  };
}

/** The first view of a page. It contains only the newest sections. */
function viewOf({ lines, from, starts, events, isEnd }: MessageOf<'snapshot'>): View {
  const view: View = { lines: lines.slice(0, from), sections: {}, isEnd: isEnd === true };
  append(view, events, starts);
  view.lines = lines;
  return view;
}

function catchUp(view: View, message: MessageOf<'snapshot'>, lastSeq: number): void {
  append(
    view,
    message.events.filter(({ seq }) => seq > lastSeq),
    message.starts,
  );
  view.lines = message.lines;
}

/** Updates bring the newest section, so a requested one is always older. */
function addSection(view: View, { index, events }: MessageOf<'section'>): void {
  if (index >= view.lines.length - 1 || view.sections[index] !== undefined) return;
  const section = emptySection();
  for (const event of events) applyEvent(section, event);
  view.sections[index] = section;
}

function advance(view: View, { events, starts, deltas, isPast }: MessageOf<'update'>): void {
  append(view, events, starts);
  const newest = newestSection(view);
  if (newest && isPast) catchUpGrowing(newest, deltas);
  else if (newest) for (const delta of deltas) applyDelta(newest, delta);
}

function append(view: View, events: readonly SessionEvent[], starts: readonly number[]): void {
  for (const event of events) {
    const section = starts.includes(event.seq) ? undefined : newestSection(view);
    applyEvent(section ?? beginSection(view), event);
  }
}

function beginSection(view: View): Section {
  const index = view.lines.length;
  const section = emptySection();
  view.lines.push(0);
  view.sections[index] = section;
  // Reads the object back: if `view` is a store's draft, only this one tracks changes.
  return view.sections[index] ?? section;
}
