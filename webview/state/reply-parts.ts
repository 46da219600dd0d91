// The text and the thinking of one reply. They grow by deltas until the whole block replaces them.
import type { EventOf } from '../../extension/protocol/events.ts';
import { replyPartId } from '../../extension/protocol/part-id.ts';
import { emptyText, finish, splitWhole } from '../markdown/split-text.ts';
import type { Part, ReasoningPart, Section, TextPart } from './parts.ts';
import { addPart, removeReply } from './rows.ts';

export function startRequest(section: Section, { request }: EventOf<'request_started'>): void {
  closeOpen(section);
  section.request = request;
  section.replyParts = 0;
}

/**
 * Removes all parts of a discarded or refused reply. Of other replies, removes only unfinished parts, because
 * the log does not contain them.
 */
export function endRequest(section: Section, { request, outcome }: EventOf<'request_ended'>): void {
  const dropped = outcome === 'discarded' || outcome === 'refused';
  removeReply(section, request, (part) => dropped || isGrowing(part));
  section.open = undefined;
}

function isGrowing(part: Part): boolean {
  return part.kind === 'tool' ? part.input === undefined : 'open' in part && part.open;
}

export function endText(section: Section, event: EventOf<'text'>): void {
  const part =
    section.open?.kind === 'text' ? section.open : event.content === '' ? undefined : openText(section);
  if (part === undefined) return;
  settle(part, event.content);
  part.partial = event.partial ?? false;
  section.open = undefined;
}

export function endReasoning(section: Section, event: EventOf<'reasoning'>): void {
  const part =
    section.open?.kind === 'reasoning'
      ? section.open
      : event.content === ''
        ? undefined
        : openReasoning(section);
  if (part === undefined) return;
  settle(part, event.content);
  part.milliseconds = Math.max(0, event.timestamp - section.lastTimestamp);
  section.open = undefined;
}

/**
 * Counts the tokens of a reply's reasoning. The log has `usage` after the blocks of its reply, with one count
 * for all of them, so the last reasoning part shows it.
 */
export function countReasoningTokens(section: Section, { reasoningTokens = 0 }: EventOf<'usage'>): void {
  if (reasoningTokens === 0) return;
  const part = section.rows
    .flatMap(({ parts }) => parts)
    .findLast((part) => part.kind === 'reasoning' && part.request === section.request);
  if (part?.kind === 'reasoning') part.tokens = reasoningTokens;
}

/** Replaces what has grown with the whole block, which usually is the same. */
function settle(part: TextPart | ReasoningPart, content: string): void {
  if (part.text.content === content) finish(part.text);
  else part.text = splitWhole(content);
  part.open = false;
}

export function openText(section: Section): TextPart {
  if (section.open?.kind === 'text') return section.open;
  closeOpen(section);
  const part: TextPart = { kind: 'text', ...replyId(section), text: emptyText(), open: true, partial: false };
  addPart(section, part);
  section.open = part;
  // Reads the object back: if `section` is a store's draft, only this one tracks changes.
  return section.open;
}

export function openReasoning(section: Section): ReasoningPart {
  if (section.open?.kind === 'reasoning') return section.open;
  closeOpen(section);
  const part: ReasoningPart = {
    kind: 'reasoning',
    ...replyId(section),
    text: emptyText(),
    open: true,
    milliseconds: 0,
    tokens: undefined,
  };
  addPart(section, part);
  section.open = part;
  // Reads the object back: if `section` is a store's draft, only this one tracks changes.
  return section.open;
}

/** The same id each time the log is read, whether or not the part was seen growing. */
function replyId(section: Section): { id: string; request: number } {
  section.replyParts += 1;
  return { id: replyPartId(section.request, section.replyParts), request: section.request };
}

export function closeOpen(section: Section): void {
  if (section.open === undefined) return;
  finish(section.open.text);
  section.open.open = false;
  section.open = undefined;
}
