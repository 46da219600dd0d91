// What was typed and not sent, for each session.
import * as z from 'zod/mini';
import { attachment } from '../../extension/protocol/composer-messages.ts';

/** With a small picture of it as a data: address; empty where it cannot be drawn. */
export const draftAttachment = z.extend(attachment, { thumbnail: z.string() });
export type DraftAttachment = z.infer<typeof draftAttachment>;

export const draft = z.object({ text: z.string(), attachments: z.array(draftAttachment) });
export type Draft = z.infer<typeof draft>;

/** By session, the one that was left last at the end. */
export const drafts = z.record(z.string(), draft);
export type Drafts = z.infer<typeof drafts>;

const MAX_DRAFTS = 50;

/**
 * `left` is the draft of the session that was shown till now. Gives back the draft of the session that is shown from
 * now on, and all others. With `isBegun` the session has begun by a prompt of this page: what was typed since goes on.
 */
export function switchDraft(
  known: Drafts,
  left: Draft & { readonly session: string },
  session: string,
  isBegun: boolean,
): { readonly draft: Draft; readonly drafts: Drafts } {
  const { [session]: own, [left.session]: _, ...others } = known;
  const goesOn = isBegun && left.session === '' && own === undefined;
  if (goesOn) return { draft: left, drafts: others };
  const isEmpty = left.text === '' && left.attachments.length === 0;
  const kept = isEmpty
    ? others
    : { ...others, [left.session]: { text: left.text, attachments: left.attachments } };
  return {
    draft: own ?? { text: '', attachments: [] },
    drafts: Object.fromEntries(Object.entries(kept).slice(-MAX_DRAFTS)),
  };
}
