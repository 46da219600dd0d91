// Prompts that the user sends during a run, and earlier prompts that the user edits and runs again.
import * as z from 'zod/mini';
import { attachment, type promptSubmit, typedPrompt } from './composer-messages.ts';

const session = z.string();

export const queuedPrompt = z.object({
  id: z.string(),
  text: z.string(),
  attachments: z.optional(z.array(attachment)),
  withoutOpenFile: z.optional(z.literal(true)),
  /**
   * `waiting`: sent when the run ends well. `steering`: delivered to the run as soon as it accepts messages.
   * `held`: the previous run was stopped, so it waits for the user.
   */
  state: z.enum(['waiting', 'steering', 'held']),
});
export type QueuedPrompt = z.infer<typeof queuedPrompt>;

/** Delivers a message to the active run. Without a run, it is a prompt. */
export const promptSteer = z.object({ type: z.literal('prompt/steer'), session, ...typedPrompt });

/** Creates a session with the events before event `before`, which is a prompt, and sends `text` in it. */
export const promptFork = z.object({
  type: z.literal('prompt/fork'),
  session,
  before: z.int().check(z.positive()),
  ...typedPrompt,
});

/**
 * Holds a queued prompt and requests it for editing. The host answers with `queue/edited`, unless a run
 * already received it.
 */
export const queueEdit = z.object({ type: z.literal('queue/edit'), session, id: z.string() });
export const queueEdited = z.object({
  type: z.literal('queue/edited'),
  session,
  id: z.string(),
  text: z.string(),
  attachments: z.array(attachment),
  withoutOpenFile: z.optional(z.literal(true)),
});
/**
 * The draft has the prompt, and the host got that draft before this message. So the prompt may leave the
 * queue.
 */
export const queueTaken = z.object({ type: z.literal('queue/taken'), session, id: z.string() });
export const queueRemove = z.object({ type: z.literal('queue/remove'), session, id: z.string() });
/** Stops the wait of a prompt: the host delivers it to the active run, or sends it if there is none. */
export const queueSend = z.object({ type: z.literal('queue/send'), session, id: z.string() });

/** A message whose prompt has left the input. */
export type SentMessage = z.infer<typeof promptSubmit | typeof promptSteer | typeof promptFork>;
export type QueueMessage = z.infer<
  typeof queueEdit | typeof queueTaken | typeof queueRemove | typeof queueSend
>;
