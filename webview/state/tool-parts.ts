// The life of a tool call: written by the model, asked about, running, ended.
import type { EventOf } from '../../extension/protocol/events.ts';
import type { Approval, ToolPart, ToolState, View } from './parts.ts';
import { addPart } from './rows.ts';

export function addCall(view: View, event: EventOf<'tool_call'>): void {
  const part = callPart(view, event.id, event.name);
  part.input = event.input;
  part.invalid = event.invalid;
}

/** The card of a call, made when the call is first heard of. */
export function callPart(view: View, id: string, name: string): ToolPart {
  const known = view.calls[id];
  if (known !== undefined && known.result === undefined) return known;
  const part = newCall(id, name, view.request);
  addPart(view, part);
  view.calls[id] = part;
  // Read back: where `view` is a store's draft, this is the object that notices changes.
  return view.calls[id];
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
    output: { text: '', held: '' },
    result: undefined,
    added: undefined,
    removed: undefined,
    milliseconds: undefined,
  };
}

export function ask(view: View, { id, tool, risk, action }: EventOf<'permission_request'>): void {
  view.approvals = [...otherApprovals(view, id), { id, tool, risk, action }];
}

export function decide(view: View, event: EventOf<'permission'>): void {
  view.approvals = otherApprovals(view, event.id);
  const part = view.calls[event.id];
  if (part !== undefined) part.permission = event;
}

export function startCall(view: View, { id }: EventOf<'tool_started'>): void {
  const part = view.calls[id];
  if (part !== undefined && part.result === undefined) part.state = 'running';
}

export function endCall(view: View, event: EventOf<'tool_result'>): void {
  view.approvals = otherApprovals(view, event.id);
  const part = view.calls[event.id];
  if (part === undefined) return;
  part.state = stateOf(event);
  part.result = event.result;
  part.output = { text: '', held: '' };
  part.added = event.added;
  part.removed = event.removed;
  part.milliseconds = event.milliseconds;
}

function stateOf({ end, isError }: EventOf<'tool_result'>): ToolState {
  if (end !== undefined) return end === 'interrupted' ? 'cancelled' : end;
  return isError ? 'error' : 'done';
}

function otherApprovals(view: View, id: string): Approval[] {
  return view.approvals.filter((approval) => approval.id !== id);
}
