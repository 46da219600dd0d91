// The states of a tool call: the model writes it, the user decides, it runs, it ends.
import type { EventOf } from '../../extension/protocol/events.ts';
import { emptyOutput } from './live-output.ts';
import type { Section, ToolPart, ToolState } from './parts.ts';
import { addPart } from './rows.ts';

export function addCall(section: Section, event: EventOf<'tool_call'>): void {
  const part = callPart(section, event.id, event.name);
  part.input = event.input;
  part.invalid = event.invalid;
}

/** The part of a call, created at the first event of the call. */
export function callPart(section: Section, id: string, name: string): ToolPart {
  const known = section.calls[id];
  if (known !== undefined && known.result === undefined) return known;
  const part = newCall(id, name, section.request);
  addPart(section, part);
  section.calls[id] = part;
  // Reads the object back: if `section` is a store's draft, only this one tracks changes.
  return section.calls[id];
}

function newCall(id: string, name: string, request: number): ToolPart {
  return {
    kind: 'tool',
    id,
    request,
    name,
    state: 'pending',
    input: undefined,
    receivedBytes: 0,
    invalid: undefined,
    permission: undefined,
    output: emptyOutput(),
    result: undefined,
    added: undefined,
    removed: undefined,
    shown: undefined,
    diff: undefined,
    milliseconds: undefined,
  };
}

export function decide(section: Section, event: EventOf<'permission'>): void {
  const part = section.calls[event.id];
  if (part !== undefined) part.permission = event;
}

export function startCall(section: Section, { id }: EventOf<'tool_started'>): void {
  const part = section.calls[id];
  if (part !== undefined && part.result === undefined) part.state = 'running';
}

export function endCall(section: Section, event: EventOf<'tool_result'>): void {
  const part = section.calls[event.id];
  if (part === undefined) return;
  part.state = stateOf(event);
  part.result = event.result;
  part.output = emptyOutput();
  part.added = event.added;
  part.removed = event.removed;
  part.shown = event.shown;
  part.diff = event.diff;
  part.milliseconds = event.milliseconds;
}

function stateOf({ end, isError }: EventOf<'tool_result'>): ToolState {
  if (end !== undefined) return end === 'interrupted' ? 'cancelled' : end;
  return isError ? 'error' : 'done';
}
