import type { EventOf, EventType, SessionEvent } from '../../extension/protocol/events.ts';
import type { View } from './parts.ts';
import { closeOpen, endReasoning, endRequest, endText, startRequest } from './reply-parts.ts';
import { addPart } from './rows.ts';
import { addCall, ask, decide, endCall, startCall } from './tool-parts.ts';

type Folds = { readonly [T in EventType]: (view: View, event: EventOf<T>) => void };

const folds: Folds = {
  session_started: changeNothing,
  user: addPrompt,
  turn_started: startRun,
  request_started: startRequest,
  text: endText,
  reasoning: endReasoning,
  provider_block: changeNothing,
  tool_call: addCall,
  request_ended: endRequest,
  usage: addUsage,
  permission_request: ask,
  permission: decide,
  tool_started: startCall,
  tool_result: endCall,
  plan: showPlan,
  status: setStatus,
  retry: showRetry,
  error: addError,
  notice: addNotice,
  turn_ended: endRun,
};

/** Folds one stored event into `view`. Events come in order; one of an unknown call changes nothing. */
export function applyEvent(view: View, event: SessionEvent): void {
  // The entry under a type takes the events of that type.
  const fold = folds[event.type] as (view: View, event: SessionEvent) => void;
  fold(view, event);
  view.lastTimestamp = event.timestamp;
}

function changeNothing(): void {}

function showRetry(view: View, event: EventOf<'retry'>): void {
  view.retry = event;
}

function startRun(view: View, event: EventOf<'turn_started'>): void {
  view.plan = undefined;
  view.run = { busy: true, state: 'thinking', message: '', since: event.timestamp };
}

function endRun(view: View, event: EventOf<'turn_ended'>): void {
  closeOpen(view);
  view.approvals = [];
  view.retry = undefined;
  view.run = {
    busy: false,
    state: event.reason === 'error' ? 'error' : 'idle',
    message: '',
    since: event.timestamp,
  };
  if (event.reason === 'done' || event.reason === 'error') return;
  addPart(view, { kind: 'notice', id: String(event.seq), message: '', ended: event.reason });
}

function addPrompt(view: View, event: EventOf<'user'>): void {
  const { content, attachments = [] } = event;
  addPart(view, { kind: 'user', id: String(event.seq), content, attachments });
}

function addNotice(view: View, event: EventOf<'notice'>): void {
  addPart(view, { kind: 'notice', id: String(event.seq), message: event.message, ended: undefined });
}

function addError(view: View, event: EventOf<'error'>): void {
  const { message, code, retryable } = event;
  view.retry = undefined;
  addPart(view, { kind: 'error', id: String(event.seq), message, code, retryable });
}

function showPlan(view: View, event: EventOf<'plan'>): void {
  if (view.plan !== undefined) {
    view.plan.steps = event.steps;
    return;
  }
  view.plan = { kind: 'plan', id: String(event.seq), steps: event.steps };
  addPart(view, view.plan);
}

function setStatus({ run }: View, event: EventOf<'status'>): void {
  if (run.state !== event.state || run.message !== event.message) run.since = event.timestamp;
  run.state = event.state;
  run.message = event.message;
}

function addUsage(view: View, event: EventOf<'usage'>): void {
  view.tokens = event.inputTokens + event.outputTokens;
  if (event.cost !== undefined) view.cost = (view.cost ?? 0) + event.cost;
}
