// The input's requests to the host (completions, images) and the host's answers.
import * as z from 'zod/mini';

const session = z.string();
const request = z.int();

/** Limit in bytes for an image. The API accepts 10 MB of base64, which is 7.5 MB of bytes. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Limit for the images of one prompt. If a request has more than 20, the API accepts only small ones. */
export const MAX_IMAGES = 20;
/** Limit for the entries of one list of completions. */
export const MAX_COMPLETIONS = 50;

/** An image's name relative to the sessions' folder: the SHA-256 of its content. */
export const attachmentName = z.string().check(z.regex(/^attachments\/[0-9a-f]{64}\.(png|jpg|gif|webp)$/));

export const attachment = z.object({
  name: attachmentName,
  /** The original name of the file. */
  title: z.string(),
  /** 0 if unknown. */
  bytes: z.int().check(z.nonnegative()),
});
export type Attachment = z.infer<typeof attachment>;

/** The typed text, with its images. */
export interface TypedPrompt {
  readonly text: string;
  readonly attachments?: readonly Attachment[] | undefined;
  /** The user does not share the open file with this prompt. */
  readonly withoutOpenFile?: true | undefined;
}

/** `asIs`: the user has seen the host's objection and insists. */
export const typedPrompt = {
  text: z.string().check(z.maxLength(1_000_000)),
  attachments: z.optional(z.array(attachment).check(z.maxLength(MAX_IMAGES))),
  withoutOpenFile: z.optional(z.literal(true)),
  asIs: z.optional(z.literal(true)),
};
export const promptSubmit = z.object({ type: z.literal('prompt/submit'), session, ...typedPrompt });
/** A message that carries a prompt. */
export type SentPrompt = Omit<z.infer<typeof promptSubmit>, 'type'>;

/** The prompt was not sent, for this reason. The page puts it back into the input. */
export const promptRefused = z.object({
  type: z.literal('prompt/refused'),
  text: z.string(),
  attachments: z.array(attachment),
  withoutOpenFile: z.optional(z.literal(true)),
  reason: z.string(),
  /** If the user sends it again, the host accepts it as it is. */
  canInsist: z.boolean(),
});
export type PromptRefused = z.infer<typeof promptRefused>;

/** The file that goes with the next prompt: its name, its path in the workspace, and what is selected in it. */
const sharedFile = z.object({
  name: z.string(),
  path: z.string(),
  /** Lines from 1, both included. */
  lines: z.optional(z.object({ first: z.int(), last: z.int() })),
});
export type SharedFile = z.infer<typeof sharedFile>;
/** Null if there is none. */
export const fileShared = z.object({ type: z.literal('file/shared'), file: z.nullable(sharedFile) });
/** The user shares the open file with no prompt any more. */
export const fileNever = z.object({ type: z.literal('file/never') });

const completionKind = z.enum(['file', 'folder', 'symbol', 'problems', 'selection', 'terminal', 'git']);
export type CompletionKind = z.infer<typeof completionKind>;

/** Requests completions for the text after an `@`. */
export const completionGet = z.object({
  type: z.literal('completion/get'),
  request,
  query: z.string().check(z.maxLength(1_000)),
});
const completion = z.object({
  kind: completionKind,
  label: z.string(),
  detail: z.string(),
  /** The text to write after the `@`. */
  name: z.string(),
});
export type Completion = z.infer<typeof completion>;
export const completionItems = z.object({
  type: z.literal('completion/items'),
  request,
  items: z.array(completion).check(z.maxLength(MAX_COMPLETIONS)),
});

/**
 * Stores an image. `data` is base64. The host answers with `attachment/added` or `attachment/refused` and the
 * same number.
 */
export const attachmentAdd = z.object({
  type: z.literal('attachment/add'),
  session,
  request,
  title: z.string().check(z.maxLength(1_000)),
  data: z.string().check(z.maxLength(Math.ceil(MAX_IMAGE_BYTES / 3) * 4)),
});
export type AttachmentAdd = z.infer<typeof attachmentAdd>;
/**
 * Lets the user choose files. The host answers with `attachment/added` for an image, and mentions any other
 * file.
 */
export const attachmentPick = z.object({ type: z.literal('attachment/pick'), session });
/** Shows an image of the conversation in an editor. */
export const attachmentOpen = z.object({ type: z.literal('attachment/open'), name: attachmentName });
/** The user dropped files of the workspace; the host mentions them. */
export const mentionDrop = z.object({
  type: z.literal('mention/drop'),
  uris: z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(100)),
});

/**
 * `session`: the session whose input made the request. `data` (base64) is present if the page did not send
 * it; `request` is present if it did.
 */
export const attachmentAdded = z.object({
  type: z.literal('attachment/added'),
  session,
  request: z.optional(request),
  attachment,
  data: z.optional(z.string()),
});
/** `request` is present if the page asked for it. */
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
