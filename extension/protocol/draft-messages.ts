// What stands in the input and was not sent. The page has what is being typed; the host keeps it in a file of the session.
import * as z from 'zod/mini';
import { attachment } from './composer-messages.ts';

const session = z.string();
const request = z.int();

/** With a small picture of it as a data: address; empty where it cannot be drawn. */
const draftAttachment = z.extend(attachment, { thumbnail: z.string() });
export type DraftAttachment = z.infer<typeof draftAttachment>;

const content = { text: z.string(), attachments: z.readonly(z.array(draftAttachment)) };
/** What the input holds. */
export interface Typed {
  readonly text: string;
  readonly attachments: readonly DraftAttachment[];
}

export const draft = z.object({
  ...content,
  /** The prompt of event `before`, which is being edited: it stands in the input, and the draft comes back after it. */
  editing: z.optional(z.object({ before: z.int().check(z.positive()), ...content })),
});
export type Draft = z.infer<typeof draft>;

export const emptyDraft: Draft = { text: '', attachments: [] };

export function isEmptyDraft({ text, attachments, editing }: Draft): boolean {
  return text === '' && attachments.length === 0 && editing === undefined;
}

/** `first` with `second` below it. */
export function joinTyped(first: Typed, second: Typed): Typed {
  const known = new Set(first.attachments.map(({ name }) => name));
  const added = second.attachments.filter(({ name }) => !known.has(name));
  return {
    text: [first.text, second.text].filter((text) => text !== '').join('\n'),
    attachments: [...first.attachments, ...added],
  };
}

/** Keeps a draft. Answered by `draft/kept` with the same number as soon as its file holds it. */
export const draftSave = z.object({ type: z.literal('draft/save'), session, request, draft });
export const draftKept = z.object({ type: z.literal('draft/kept'), session, request });

/** Comes behind what is kept: it was typed or attached in a session whose draft the page does not know, or shows no more. */
export const draftAdd = z.object({ type: z.literal('draft/add'), session, typed: z.object(content) });

/**
 * What the host keeps for this session: sent with each snapshot, and when another panel has changed it. It takes the place
 * of what the page shows, unless something was typed there that the host does not know yet.
 */
export const draftShown = z.object({ type: z.literal('draft'), session, draft });
