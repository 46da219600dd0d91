// The state that VS Code stores for this page while it is hidden or reloaded. It has no part of the session,
// which is in the log.
import * as z from 'zod/mini';
import { draft, emptyDraft } from '../../extension/protocol/draft-messages.ts';
import { textPlace } from '../markdown/text-place.ts';
import type { Channel } from './channel.ts';

const saved = z.object({
  session: z.string(),
  /** The draft in the input, for this session. */
  draft,
  /** The host has stored the draft in a file. */
  isKept: z.boolean(),
  /**
   * The part at the upper edge, its section, and the distance (CSS px) of its top above the edge; null at the
   * end.
   */
  reading: z.nullable(
    z.object({ section: z.int(), part: z.string(), offset: z.number(), text: z.optional(textPlace) }),
  ),
  /** The user does not share the open file with the next prompt. */
  withoutOpenFile: z._default(z.boolean(), false),
  /** Parts that the user opened (true) or closed (false), by id. */
  expanded: z.record(z.string(), z.boolean()),
});
export type Saved = z.infer<typeof saved>;
export type Reading = NonNullable<Saved['reading']>;

export interface Memory {
  /** The state after the last `remember`. */
  readonly saved: Saved;
  /** Merges changes and writes them soon. */
  remember(changes: Partial<Saved>): void;
  flush(): void;
}

const nothing: Saved = {
  session: '',
  draft: emptyDraft,
  isKept: true,
  reading: null,
  withoutOpenFile: false,
  expanded: {},
};
/** Milliseconds. Short, because a hidden page disappears without notice. */
const WRITE_DELAY = 150;

/** The saved state, or an empty one if it does not parse. */
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
