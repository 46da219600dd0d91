import type { EventDraft, EventOf, SessionEvent } from '../../extension/protocol/events.ts';
import { applyEvent } from '../../webview/state/apply-event.ts';
import { emptySection, type Part, type Section, type ToolPart } from '../../webview/state/parts.ts';

/** `drafts` as one session's stored events, a second apart. */
export function storedEvents(
  drafts: readonly EventDraft[],
  firstSeq = 1,
  session = 'session-1',
): SessionEvent[] {
  return drafts.map((draft, index) => {
    const seq = firstSeq + index;
    return { ...draft, timestamp: seq * 1_000, session, seq, prev: '' };
  });
}

export function sectionOf(...drafts: EventDraft[]): Section {
  const section = emptySection();
  for (const event of storedEvents(drafts)) applyEvent(section, event);
  return section;
}

export function partsOf(section: Section): Part[] {
  return section.rows.flatMap((row) => row.parts);
}

/** The parts in short: kind and what it says, tools with their state. */
export function outlineOf(section: Section): string[] {
  return partsOf(section).map((part) => {
    if (part.kind === 'tool') return `tool ${part.name} ${part.state}`;
    if (part.kind === 'text' || part.kind === 'reasoning') return `${part.kind} ${part.text.content}`;
    if (part.kind === 'user') return `user ${part.content}`;
    if (part.kind === 'plan') return `plan ${part.steps.map((step) => step.status).join(',')}`;
    return `${part.kind} ${part.kind === 'notice' && part.ended ? part.ended : part.message}`;
  });
}

export function toolOf(section: Section, id: string): ToolPart {
  const part = section.calls[id];
  if (part === undefined) throw new Error(`There is no call ${id}.`);
  if (!partsOf(section).includes(part)) throw new Error(`The call ${id} is not among the rows.`);
  return part;
}

export const request = (number: number): EventDraft => ({
  type: 'request_started',
  request: number,
  provider: 'demo',
  model: 'demo',
});

export const requestEnd = (
  number: number,
  outcome: 'completed' | 'cancelled' | 'discarded' | 'refused' = 'completed',
): EventDraft => ({ type: 'request_ended', request: number, outcome, stop: 'end' });

export const text = (content: string): EventDraft => ({ type: 'text', content });

export const call = (id: string, name: string, input: Record<string, unknown> = {}): EventDraft => ({
  type: 'tool_call',
  id,
  name,
  input,
});

export const result = (
  id: string,
  value: unknown,
  more: Partial<EventOf<'tool_result'>> = {},
): EventDraft => ({ type: 'tool_result', id, result: JSON.stringify(value), isError: false, ...more });

export const ask = (id: string, tool = 'bash', risk: 'safe' | 'medium' | 'high' = 'medium'): EventDraft => ({
  type: 'permission_request',
  id,
  tool,
  risk,
  action: { title: 'Run a command in /repo', detail: 'npm test', warnings: [], remember: 'npm test' },
});

export const decision = (
  id: string,
  answer: 'allow_once' | 'allow_session' | 'allow_always' | 'deny',
): EventDraft => ({
  type: 'permission',
  id,
  tool: 'bash',
  risk: 'medium',
  decision: answer,
  by: 'user',
  rule: 'asked',
  action: 'hash',
});
