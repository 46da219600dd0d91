import type { EventOf, EventType, SessionEvent } from '../../extension/protocol/events.ts';
import { strings } from '../l10n/strings.ts';
import type { Section } from './parts.ts';
import {
  closeOpen,
  countReasoningTokens,
  endReasoning,
  endRequest,
  endText,
  startRequest,
} from './reply-parts.ts';
import { addPart } from './rows.ts';
import { addCall, decide, endCall, startCall } from './tool-parts.ts';

type Folds = { readonly [T in EventType]: (section: Section, event: EventOf<T>) => void };

const folds: Folds = {
  session_started: changeNothing,
  user: addPrompt,
  context: changeNothing,
  turn_started: startRun,
  request_started: startRequest,
  text: endText,
  reasoning: endReasoning,
  provider_block: changeNothing,
  tool_call: addCall,
  request_ended: endRequest,
  usage: countReasoningTokens,
  permission_request: changeNothing,
  permission: decide,
  question: changeNothing,
  checkpoint: changeNothing,
  tool_started: startCall,
  files_changed: changeNothing,
  reviewed: changeNothing,
  restored: changeNothing,
  tool_result: endCall,
  background_started: changeNothing,
  background_changed: changeNothing,
  background_ended: changeNothing,
  plan: showPlan,
  status: changeNothing,
  retry: changeNothing,
  error: addError,
  notice: addNotice,
  imported: changeNothing,
  trimmed: changeNothing,
  compaction: addSummary,
  title: changeNothing,
  turn_ended: endRun,
};

/** Applies one stored event to `section`. Call in order. Ignores an event of an unknown call. */
export function applyEvent(section: Section, event: SessionEvent): void {
  // The entry for a type takes the events of that type.
  const fold = folds[event.type] as (section: Section, event: SessionEvent) => void;
  fold(section, event);
  section.lastTimestamp = event.timestamp;
}

function changeNothing(): void {}

function startRun(section: Section): void {
  section.plan = undefined;
}

function endRun(section: Section, event: EventOf<'turn_ended'>): void {
  closeOpen(section);
  if (event.reason === 'done' || event.reason === 'error') return;
  addPart(section, { kind: 'notice', id: String(event.seq), message: '', ended: event.reason });
}

function addPrompt(section: Section, event: EventOf<'user'>): void {
  const { content, context = '', attachments = [] } = event;
  addPart(section, { kind: 'user', id: String(event.seq), content, context, attachments });
}

function addNotice(section: Section, event: EventOf<'notice'>): void {
  addPart(section, { kind: 'notice', id: String(event.seq), message: event.message, ended: undefined });
}

function addSummary(section: Section, { seq, summary }: EventOf<'compaction'>): void {
  addPart(section, {
    kind: 'notice',
    id: String(seq),
    message: strings.compacted,
    ended: undefined,
    summary,
  });
}

function addError(section: Section, event: EventOf<'error'>): void {
  const { message, code, retryable } = event;
  addPart(section, { kind: 'error', id: String(event.seq), message, code, retryable });
}

function showPlan(section: Section, event: EventOf<'plan'>): void {
  if (section.plan !== undefined) {
    section.plan.steps = event.steps;
    return;
  }
  section.plan = { kind: 'plan', id: String(event.seq), steps: event.steps };
  addPart(section, section.plan);
}
