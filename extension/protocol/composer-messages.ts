// What the input asks the host for: completions, images that go with a prompt, and what it is told of both.
import * as z from 'zod/mini';

const session = z.string();
const request = z.int();

/** Bytes of an image that can be attached. The API takes 10 MB of base64, which is 7.5 MB of bytes. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Images of one prompt. With more than 20 in a request the API takes only small ones. */
export const MAX_IMAGES = 20;
/** Entries of one list of completions. */
export const MAX_COMPLETIONS = 50;

/** An image's name below the folder of the sessions: its content's SHA-256. */
export const attachmentName = z.string().check(z.regex(/^attachments\/[0-9a-f]{64}\.(png|jpg|gif|webp)$/));

export const attachment = z.object({
  name: attachmentName,
  /** What it was called before. */
  title: z.string(),
  /** 0 where it is not known. */
  bytes: z.int().check(z.nonnegative()),
});
export type Attachment = z.infer<typeof attachment>;

/** What was typed, with the images that go with it. */
export interface TypedPrompt {
  readonly text: string;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** `asIs`: the user knows what the host had to say against it. */
export const typedPrompt = {
  text: z.string().check(z.maxLength(1_000_000)),
  attachments: z.optional(z.array(attachment).check(z.maxLength(MAX_IMAGES))),
  asIs: z.optional(z.literal(true)),
};
export const promptSubmit = z.object({ type: z.literal('prompt/submit'), session, ...typedPrompt });
/** Any message that brings a prompt. */
export type SentPrompt = Omit<z.infer<typeof promptSubmit>, 'type'>;

/** It was not sent, for this reason; what was typed goes back into the input. */
export const promptRefused = z.object({
  type: z.literal('prompt/refused'),
  text: z.string(),
  attachments: z.array(attachment),
  reason: z.string(),
  /** Sent once more, it is taken as it is. */
  canInsist: z.boolean(),
});
export type PromptRefused = z.infer<typeof promptRefused>;

const completionKind = z.enum(['file', 'folder', 'symbol', 'problems', 'selection', 'terminal', 'git']);
export type CompletionKind = z.infer<typeof completionKind>;

/** Asks for what can stand behind an `@`. */
export const completionGet = z.object({
  type: z.literal('completion/get'),
  request,
  query: z.string().check(z.maxLength(1_000)),
});
const completion = z.object({
  kind: completionKind,
  label: z.string(),
  detail: z.string(),
  /** What is written behind the `@`. */
  name: z.string(),
});
export type Completion = z.infer<typeof completion>;
export const completionItems = z.object({
  type: z.literal('completion/items'),
  request,
  items: z.array(completion).check(z.maxLength(MAX_COMPLETIONS)),
});

/** Keeps an image. `data` is base64. Answered by `attachment/added` or `attachment/refused` with the same number. */
export const attachmentAdd = z.object({
  type: z.literal('attachment/add'),
  session,
  request,
  title: z.string().check(z.maxLength(1_000)),
  data: z.string().check(z.maxLength(Math.ceil(MAX_IMAGE_BYTES / 3) * 4)),
});
export type AttachmentAdd = z.infer<typeof attachmentAdd>;
/** Lets the user choose files. Images are answered by `attachment/added`, others are mentioned. */
export const attachmentPick = z.object({ type: z.literal('attachment/pick'), session });
/** Shows an image of the conversation in an editor. */
export const attachmentOpen = z.object({ type: z.literal('attachment/open'), name: attachmentName });
/** Files of the workspace were dropped: they are mentioned. */
export const mentionDrop = z.object({
  type: z.literal('mention/drop'),
  uris: z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(100)),
});

/** `session`: in whose input it was asked for. `data` (base64) is there where the page has not sent it; `request` where it has. */
export const attachmentAdded = z.object({
  type: z.literal('attachment/added'),
  session,
  request: z.optional(request),
  attachment,
  data: z.optional(z.string()),
});
/** `request` is there where the page asked for it. */
export const attachmentRefused = z.object({
  type: z.literal('attachment/refused'),
  request: z.optional(request),
  reason: z.string(),
});
export type ComposerAnswer = z.infer<
  typeof promptRefused | typeof completionItems | typeof attachmentAdded | typeof attachmentRefused
>;
export type ComposerQuestion = z.infer<
  | typeof completionGet
  | typeof attachmentAdd
  | typeof attachmentPick
  | typeof attachmentOpen
  | typeof mentionDrop
>;
