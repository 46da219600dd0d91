import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import { emptyHead, type Head, type ShownBackground } from '../../protocol/head.ts';
import { questionView } from '../ports/approver.ts';
import type { SessionState } from '../ports/session-store.ts';

/** `head` after `event`; the same object if nothing changes. */
export function advanceHead(head: Head, event: SessionEvent): Head {
  switch (event.type) {
    case 'session_started':
      return event.forkedFrom ? { ...head, forkedAt: event.forkedFrom.seq } : head;
    case 'turn_started':
      return { ...head, run: { busy: true, state: 'thinking', message: '', since: event.timestamp } };
    case 'turn_ended':
      return endRun(head, event);
    case 'status':
      return { ...head, run: runAfter(head, event) };
    case 'request_started':
      return withoutRetry(head);
    case 'retry':
      return { ...head, retry: retryOf(event) };
    case 'error':
      return withoutRetry(head);
    case 'permission_request':
      return { ...head, approvals: [...othersThan(head, event.id), approvalOf(event)] };
    case 'question':
      return { ...head, approvals: [...othersThan(head, event.id), waitingQuestion(event)] };
    case 'permission':
    case 'tool_result':
      return head.approvals.length === 0 ? head : { ...head, approvals: othersThan(head, event.id) };
    case 'background_started':
      return withStarted(head, event);
    case 'background_changed':
      return withChanged(head, event);
    case 'background_ended':
      return withBackground(
        head,
        head.background?.filter(({ id }) => id !== event.id),
      );
    case 'imported':
      return withBackground(head, []);
    case 'usage':
      return withUsage(head, event);
    default:
      return head;
  }
}

/** The state of a session after `events`. */
export function headOf(events: readonly SessionEvent[]): Head {
  return events.reduce(advanceHead, emptyHead);
}

/** Commands copied from another session run there. */
function withStarted(head: Head, event: EventOf<'background_started'>): Head {
  const { id, command, moved, timestamp, seq } = event;
  if (seq < (head.forkedAt ?? 0)) return head;
  const started = { id, command, since: timestamp, kept: false, ...(moved && { moved }) };
  return withBackground(head, [...(head.background ?? []), started]);
}

function withChanged(head: Head, { id, kept }: EventOf<'background_changed'>): Head {
  if (kept === undefined) return head;
  return withBackground(
    head,
    head.background?.map((shown) => (shown.id === id ? { ...shown, kept } : shown)),
  );
}

function withBackground({ background: _, ...head }: Head, running: readonly ShownBackground[] = []): Head {
  return running.length > 0 ? { ...head, background: [...running] } : head;
}

function endRun(head: Head, { reason, timestamp }: EventOf<'turn_ended'>): Head {
  const state = reason === 'error' ? 'error' : 'idle';
  return {
    ...withoutRetry(head),
    run: { busy: false, state, message: '', since: timestamp },
    approvals: [],
  };
}

function runAfter({ run }: Head, { state, message, timestamp }: EventOf<'status'>): Head['run'] {
  const isNew = run.state !== state || run.message !== message;
  return { ...run, state, message, since: isNew ? timestamp : run.since };
}

function withoutRetry(head: Head): Head {
  const { retry, ...rest } = head;
  return retry === undefined ? head : rest;
}

function retryOf({ attempt, delayMs, code, message, timestamp }: EventOf<'retry'>): Head['retry'] {
  return { attempt, delayMs, code, message, since: timestamp };
}

function approvalOf({ id, tool, risk, action }: EventOf<'permission_request'>): Head['approvals'][number] {
  return { id, tool, risk, action };
}

function waitingQuestion({ id, question, options }: EventOf<'question'>): Head['approvals'][number] {
  return { id, tool: 'ask_user', risk: 'safe', action: questionView(question), options };
}

function othersThan(head: Head, id: string): Head['approvals'] {
  return head.approvals.filter((approval) => approval.id !== id);
}

/** Usage copied from another session costs nothing here. */
function withUsage(
  { estimated: _, ...head }: Head,
  { inputTokens, outputTokens, cost, seq, estimated }: EventOf<'usage'>,
): Head {
  const tokens = { tokens: inputTokens + outputTokens, ...(estimated && { estimated }) };
  const isTakenOver = seq < (head.forkedAt ?? 0);
  return cost === undefined || isTakenOver
    ? { ...head, ...tokens }
    : { ...head, ...tokens, cost: (head.cost ?? 0) + cost };
}

/** The state of a session that this process writes. */
export function stateOf({ run, approvals }: Head): SessionState {
  if (approvals.length > 0) return 'waiting';
  if (run.busy) return 'running';
  return run.state === 'error' ? 'error' : 'idle';
}
