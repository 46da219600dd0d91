import type { EventDraft } from '../../protocol/events.ts';
import type { ContextText } from '../ports/context-source.ts';
import type { Message } from '../ports/model.ts';

/**
 * The parts of `wanted` that `messages` do not contain, or no longer. The newest context of each kind counts.
 * After a compaction this is everything, because the summary contains none of it.
 */
export function missingContext(messages: readonly Message[], wanted: readonly ContextText[]): EventDraft[] {
  const held = currentContext(messages);
  return wanted
    .filter(({ kind, text, implied }) => held.get(kind) !== text && !(implied && !held.has(kind)))
    .map(({ kind, text, sources }) => ({
      type: 'context',
      kind,
      text,
      ...(sources && { sources: [...sources] }),
    }));
}

/** The newest context of each kind in `messages`. */
export function currentContext(messages: readonly Message[]): ReadonlyMap<ContextText['kind'], string> {
  const blocks = messages.flatMap(({ content }) => content.filter((block) => block.type === 'context'));
  return new Map(blocks.map(({ kind, text }) => [kind, text]));
}
