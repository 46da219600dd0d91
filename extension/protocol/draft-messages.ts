// The unsent content of the input. The page has the text that the user is typing; the host stores it in a
// file of the session.
import * as z from 'zod/mini';
import { attachment } from './composer-messages.ts';

const session = z.string();
const request = z.int();

/** With a thumbnail as a data: address; empty if the page cannot draw it. */
const draftAttachment = z.extend(attachment, { thumbnail: z.string() });
export type DraftAttachment = z.infer<typeof draftAttachment>;

const content = { text: z.string(), attachments: z.readonly(z.array(draftAttachment)) };
/** The content of the input. */
export interface Typed {
  readonly text: string;
  readonly attachments: readonly DraftAttachment[];
}

export const draft = z.object({
  ...content,
  /**
   * The prompt of event `before`, which the user is editing in the input. The draft comes back afterwards.
   */
  editing: z.optional(z.object({ before: z.int().check(z.positive()), ...content })),
});
export type Draft = z.infer<typeof draft>;

export const emptyDraft: Draft = { text: '', attachments: [] };

export function isEmptyDraft({ text, attachments, editing }: Draft): boolean {
  return text === '' && attachments.length === 0 && editing === undefined;
}

/** Joins the two, with `second` below `first`. */
export function joinTyped(first: Typed, second: Typed): Typed {
  const known = new Set(first.attachments.map(({ name }) => name));
  const added = second.attachments.filter(({ name }) => !known.has(name));
  return {
    text: [first.text, second.text].filter((text) => text !== '').join('\n'),
    attachments: [...first.attachments, ...added],
  };
}

/** Stores a draft. After its file has it, the host answers with `draft/kept` and the same number. */
export const draftSave = z.object({ type: z.literal('draft/save'), session, request, draft });
export const draftKept = z.object({ type: z.literal('draft/kept'), session, request });

/**
 * Appends to the stored draft. The page sends it for a session whose draft it does not know, or no longer
 * shows.
 */
export const draftAdd = z.object({ type: z.literal('draft/add'), session, typed: z.object(content) });

/**
 * The host's stored draft of this session. The host sends it with each snapshot, and after another panel
 * changed it. It replaces what the page shows, unless the user typed something there that the host does not
 * have yet.
 */
export const draftShown = z.object({ type: z.literal('draft'), session, draft });
