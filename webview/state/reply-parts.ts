// The text and the thinking of one reply: they grow by deltas, until the whole block replaces what has grown.
import type { EventOf } from '../../extension/protocol/events.ts';
import { emptyText, finish, splitWhole } from '../markdown/split-text.ts';
import type { ReasoningPart, TextPart, View } from './parts.ts';
import { addPart, removeReply } from './rows.ts';

export function startRequest(view: View, { request }: EventOf<'request_started'>): void {
  closeOpen(view);
  view.retry = undefined;
  view.request = request;
  view.replyParts = 0;
}

/** Of a reply that does not count nothing stays; of the others, all but calls that were never finished. */
export function endRequest(view: View, { request, outcome }: EventOf<'request_ended'>): void {
  closeOpen(view);
  const dropped = outcome === 'discarded' || outcome === 'refused';
  removeReply(view, request, (part) => dropped || (part.kind === 'tool' && part.input === undefined));
}

export function endText(view: View, event: EventOf<'text'>): void {
  const part = view.open?.kind === 'text' ? view.open : event.content === '' ? undefined : openText(view);
  if (part === undefined) return;
  settle(part, event.content);
  part.partial = event.partial ?? false;
  view.open = undefined;
}

export function endReasoning(view: View, event: EventOf<'reasoning'>): void {
  const part =
    view.open?.kind === 'reasoning' ? view.open : event.content === '' ? undefined : openReasoning(view);
  if (part === undefined) return;
  settle(part, event.content);
  part.milliseconds = Math.max(0, event.timestamp - view.lastTimestamp);
  view.open = undefined;
}

/** The whole block has come: it replaces what had grown, which usually is the same. */
function settle(part: TextPart | ReasoningPart, content: string): void {
  if (part.text.content === content) finish(part.text);
  else part.text = splitWhole(content);
  part.open = false;
}

export function openText(view: View): TextPart {
  if (view.open?.kind === 'text') return view.open;
  closeOpen(view);
  const part: TextPart = { kind: 'text', ...replyId(view), text: emptyText(), open: true, partial: false };
  addPart(view, part);
  view.open = part;
  // Read back: where `view` is a store's draft, this is the object that notices changes.
  return view.open;
}

export function openReasoning(view: View): ReasoningPart {
  if (view.open?.kind === 'reasoning') return view.open;
  closeOpen(view);
  const part: ReasoningPart = {
    kind: 'reasoning',
    ...replyId(view),
    text: emptyText(),
    open: true,
    milliseconds: 0,
  };
  addPart(view, part);
  view.open = part;
  // Read back: where `view` is a store's draft, this is the object that notices changes.
  return view.open;
}

/** The same on each reading of the log, whether or not the part was seen growing. */
function replyId(view: View): { id: string; request: number } {
  view.replyParts += 1;
  return { id: `${view.request}.${view.replyParts}`, request: view.request };
}

export function closeOpen(view: View): void {
  if (view.open === undefined) return;
  finish(view.open.text);
  view.open.open = false;
  view.open = undefined;
}
