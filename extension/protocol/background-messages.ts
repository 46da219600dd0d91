// What the user does with a command that runs.
import * as z from 'zod/mini';

const target = { session: z.string(), id: z.string() };

/** Stops one running call, or moves it to the background. The run goes on. */
export const callAct = z.object({
  type: z.literal('call/act'),
  ...target,
  action: z.enum(['stop', 'background']),
});
export const backgroundStop = z.object({ type: z.literal('background/stop'), ...target });
/** Opens the output of a background command in an editor. */
export const backgroundShow = z.object({ type: z.literal('background/show'), ...target });
/** Chooses whether a background command outlives the session. */
export const backgroundKeep = z.object({
  type: z.literal('background/keep'),
  ...target,
  kept: z.boolean(),
});
export type BackgroundMessage = z.infer<
  typeof callAct | typeof backgroundStop | typeof backgroundShow | typeof backgroundKeep
>;
