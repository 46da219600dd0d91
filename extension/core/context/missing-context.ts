import type { EventDraft } from '../../protocol/events.ts';
import type { ContextText } from '../ports/context-source.ts';
import type { Message } from '../ports/model.ts';

/**
 * Of what a model has to know, what `messages` do not tell it, or no longer: of each kind the newest one holds. After a
 * compaction that is everything, since nothing of before is left in them.
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

/** What `messages` tell, and still holds: the newest text of each kind. */
export function currentContext(messages: readonly Message[]): ReadonlyMap<ContextText['kind'], string> {
  const blocks = messages.flatMap(({ content }) => content.filter((block) => block.type === 'context'));
  return new Map(blocks.map(({ kind, text }) => [kind, text]));
}
