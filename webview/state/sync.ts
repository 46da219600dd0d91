// Keeps a view in step with the host's log: what is there twice is dropped, what is missing is asked for.
import type { Delta, SessionEvent } from '../../extension/protocol/events.ts';
import type { HostMessage, PanelState } from '../../extension/protocol/messages.ts';
import { emptyText } from '../markdown/split-text.ts';
import { applyDelta, joinDeltas } from './apply-delta.ts';
import { applyEvent } from './apply-event.ts';
import type { Incoming } from './channel.ts';
import { emptyView, type View } from './parts.ts';

/** Where the view lives. */
export interface SyncTarget {
  replace(view: View): void;
  change(edit: (view: View) => void): void;
  setPanel(panel: PanelState): void;
}

export interface SyncOptions {
  /** The session that was shown before the page was reloaded; empty for none. */
  readonly session: string;
  /** Sends `ready`; the host answers with a snapshot. */
  askHost(session: string, lastSeq: number): void;
  /** A live event, not one that a snapshot brought. */
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

  const requestMissing = () => {
    waiting = true;
    options.askHost(session, lastSeq);
  };

  const takeSnapshot = (message: MessageOf<'snapshot'>, newest: number) => {
    const whole = message.after === 0 || message.state.session !== session;
    if (!whole && message.after > lastSeq) return requestMissing();
    target.setPanel(message.state);
    if (whole) target.replace(viewOf(message.events));
    else target.change((view) => catchUp(view, message.events, lastSeq));
    session = message.state.session;
    lastSeq = whole ? newest : Math.max(lastSeq, newest);
    waiting = false;
  };

  const takeState = ({ state }: MessageOf<'state'>) => {
    target.setPanel(state);
    if (state.session === session) return;
    session = state.session;
    lastSeq = 0;
    requestMissing();
  };

  const takeUpdate = (message: MessageOf<'update'>, { firstSeq, lastSeq: newest }: Incoming) => {
    if (waiting || message.events.some((event) => event.session !== session)) return;
    if (firstSeq > lastSeq + 1) return requestMissing();
    const events = message.events.filter(({ seq }) => seq > lastSeq);
    const deltas = joinDeltas(message.deltas.filter((delta) => delta.session === session));
    target.change((view) => advance(view, events, deltas));
    lastSeq = Math.max(lastSeq, newest);
    events.forEach(options.onEvent);
  };

  return {
    requestMissing,
    receive(incoming) {
      const { message } = incoming;
      if (message.type === 'snapshot') takeSnapshot(message, incoming.lastSeq);
      else if (message.type === 'state') takeState(message);
      else if (message.type === 'update') takeUpdate(message, incoming);
    },
  };
}

function viewOf(events: readonly SessionEvent[]): View {
  const view = emptyView();
  for (const event of events) applyEvent(view, event);
  return view;
}

/** What had been growing may lack a piece; the host sends all of it again. */
function catchUp(view: View, events: readonly SessionEvent[], lastSeq: number): void {
  if (view.open) view.open.text = emptyText();
  for (const call of Object.values(view.calls)) {
    if (call.result === undefined) call.output = { text: '', held: '' };
  }
  for (const event of events) if (event.seq > lastSeq) applyEvent(view, event);
}

function advance(view: View, events: readonly SessionEvent[], deltas: readonly Delta[]): void {
  for (const event of events) applyEvent(view, event);
  for (const delta of deltas) applyDelta(view, delta);
}
