// The parts of a section for search and copy: which event shows which part. `webview/state/parts.ts` has what
// the panel draws of a part.
import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import { replyPartId } from '../../protocol/part-id.ts';

type PartType = 'user' | 'text' | 'reasoning' | 'tool_call' | 'plan' | 'error' | 'notice' | 'compaction';
export type PartEvent = Extract<SessionEvent, { type: PartType }>;

export interface ShownPart {
  /** The panel's id for the part. */
  readonly id: string;
  /** The event that made it; for a plan, the newest one. */
  readonly event: PartEvent;
  /** Only for a call that has ended. */
  readonly result?: EventOf<'tool_result'>;
  /** The decision on a call. */
  readonly permission?: EventOf<'permission'>;
}

interface Folding {
  readonly parts: (ShownPart & { readonly request: number })[];
  /** Index among the parts, by call id, of calls that have not ended. */
  readonly calls: Map<string, number>;
  plan: number | undefined;
  request: number;
  replyParts: number;
}

/**
 * The parts of a section, made from its `events`. The end of a run is not a part, because its words are the
 * panel's.
 */
export function conversationParts(events: readonly SessionEvent[]): readonly ShownPart[] {
  const folding: Folding = { parts: [], calls: new Map(), plan: undefined, request: 0, replyParts: 0 };
  for (const event of events) fold(folding, event);
  return folding.parts;
}

function fold(folding: Folding, event: SessionEvent): void {
  switch (event.type) {
    case 'user':
    case 'error':
    case 'notice':
    case 'compaction':
      add(folding, String(event.seq), event);
      break;
    case 'turn_started':
      folding.plan = undefined;
      break;
    case 'request_started':
      folding.request = event.request;
      folding.replyParts = 0;
      break;
    case 'text':
    case 'reasoning':
      addReply(folding, event);
      break;
    case 'tool_call':
      addCall(folding, event);
      break;
    case 'permission':
      decide(folding, event);
      break;
    case 'tool_result':
      endCall(folding, event);
      break;
    case 'plan':
      showPlan(folding, event);
      break;
    case 'request_ended':
      if (event.outcome === 'discarded' || event.outcome === 'refused') drop(folding, event.request);
  }
}

function add({ parts, request }: Folding, id: string, event: PartEvent): number {
  return parts.push({ id, event, request }) - 1;
}

function addReply(folding: Folding, event: EventOf<'text'> | EventOf<'reasoning'>): void {
  if (event.content === '') return;
  folding.replyParts += 1;
  add(folding, replyPartId(folding.request, folding.replyParts), event);
}

function addCall(folding: Folding, event: EventOf<'tool_call'>): void {
  const { calls, parts } = folding;
  const index = calls.get(event.id);
  const known = index === undefined ? undefined : parts[index];
  if (index === undefined || known === undefined) calls.set(event.id, add(folding, event.id, event));
  else parts[index] = { ...known, event };
}

function decide({ parts, calls }: Folding, permission: EventOf<'permission'>): void {
  const index = calls.get(permission.id);
  const part = index === undefined ? undefined : parts[index];
  if (index !== undefined && part !== undefined) parts[index] = { ...part, permission };
}

function endCall({ parts, calls }: Folding, result: EventOf<'tool_result'>): void {
  const index = calls.get(result.id);
  const part = index === undefined ? undefined : parts[index];
  if (index !== undefined && part !== undefined) parts[index] = { ...part, result };
  calls.delete(result.id);
}

function showPlan(folding: Folding, event: EventOf<'plan'>): void {
  const shown = folding.plan === undefined ? undefined : folding.parts[folding.plan];
  if (folding.plan === undefined || shown === undefined)
    folding.plan = add(folding, String(event.seq), event);
  else folding.parts[folding.plan] = { ...shown, event };
}

/** Removes the parts of a reply that does not count. */
function drop(folding: Folding, request: number): void {
  const kept = folding.parts.filter((part) => part.request !== request || !isReply(part.event));
  const plan = folding.plan === undefined ? undefined : folding.parts[folding.plan];
  folding.parts.splice(0, folding.parts.length, ...kept);
  folding.calls.clear();
  kept.forEach(({ id, event, result }, index) => {
    if (event.type === 'tool_call' && result === undefined) folding.calls.set(id, index);
  });
  folding.plan = plan && kept.indexOf(plan);
}

function isReply({ type }: SessionEvent): boolean {
  return type === 'text' || type === 'reasoning' || type === 'tool_call';
}
