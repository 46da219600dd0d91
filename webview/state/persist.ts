// What VS Code keeps for this page while it is hidden or reloaded. Nothing of the session itself: that is in the log.
import * as z from 'zod/mini';
import { draft, emptyDraft } from '../../extension/protocol/draft-messages.ts';
import { textPlace } from '../markdown/text-place.ts';
import type { Channel } from './channel.ts';

const saved = z.object({
  session: z.string(),
  /** What is in the input, for this session. */
  draft,
  /** The host has it in a file. */
  isKept: z.boolean(),
  /** The part at the upper edge, its section, and how far (CSS px) its top is above the edge; null at the end. */
  reading: z.nullable(
    z.object({ section: z.int(), part: z.string(), offset: z.number(), text: z.optional(textPlace) }),
  ),
  /** Parts that the user opened (true) or closed, by id. */
  expanded: z.record(z.string(), z.boolean()),
});
export type Saved = z.infer<typeof saved>;
export type Reading = NonNullable<Saved['reading']>;

export interface Memory {
  /** As of the last `remember`. */
  readonly saved: Saved;
  /** Writes soon; several changes at once. */
  remember(changes: Partial<Saved>): void;
  flush(): void;
}

const nothing: Saved = { session: '', draft: emptyDraft, isKept: true, reading: null, expanded: {} };
/** Milliseconds. A page that is hidden is gone without notice, so not long. */
const WRITE_DELAY = 150;

/** What was saved, as far as it is still understood. */
export function parseSaved(value: unknown): Saved {
  return saved.safeParse(value).data ?? nothing;
}

export function createMemory(channel: Pick<Channel, 'readSaved' | 'save'>): Memory {
  let current = parseSaved(channel.readSaved());
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    channel.save(current);
  };
  return {
    get saved() {
      return current;
    },
    remember(changes) {
      current = { ...current, ...changes };
      timer ??= setTimeout(flush, WRITE_DELAY);
    },
    flush,
  };
}
