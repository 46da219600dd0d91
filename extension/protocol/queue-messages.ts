// Prompts that come while a run is on, and an earlier prompt that is run again in other words.
import * as z from 'zod/mini';
import { attachment, type promptSubmit, typedPrompt } from './composer-messages.ts';

const session = z.string();

export const queuedPrompt = z.object({
  id: z.string(),
  text: z.string(),
  attachments: z.optional(z.array(attachment)),
  /**
   * `waiting`: is sent when the run has ended well. `steering`: is said to the run as soon as it can hear. `held`: the run
   * before it was stopped, so it waits for the user.
   */
  state: z.enum(['waiting', 'steering', 'held']),
});
export type QueuedPrompt = z.infer<typeof queuedPrompt>;

/** Says something to the run that is on; without a run it is a prompt. */
export const promptSteer = z.object({ type: z.literal('prompt/steer'), session, ...typedPrompt });

/** Begins another session with the events before event `before`, which is a prompt, and sends `text` in it. */
export const promptFork = z.object({
  type: z.literal('prompt/fork'),
  session,
  before: z.int().check(z.positive()),
  ...typedPrompt,
});

/** Holds a prompt of the queue, and asks for it. Answered by `queue/edited`, unless a run has heard it. */
export const queueEdit = z.object({ type: z.literal('queue/edit'), session, id: z.string() });
export const queueEdited = z.object({
  type: z.literal('queue/edited'),
  session,
  id: z.string(),
  text: z.string(),
  attachments: z.array(attachment),
});
/** The draft has it, which the host was told before: it may leave the queue. */
export const queueTaken = z.object({ type: z.literal('queue/taken'), session, id: z.string() });
export const queueRemove = z.object({ type: z.literal('queue/remove'), session, id: z.string() });
/** Does not let a prompt wait any longer: it is said to the run that is on, or sent where there is none. */
export const queueSend = z.object({ type: z.literal('queue/send'), session, id: z.string() });

/** A prompt that has left the input. */
export type SentMessage = z.infer<typeof promptSubmit | typeof promptSteer | typeof promptFork>;
export type QueueMessage = z.infer<
  typeof queueEdit | typeof queueTaken | typeof queueRemove | typeof queueSend
>;
