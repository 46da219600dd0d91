import * as z from 'zod/mini';
import { whyKept } from '../core/files/restorer.ts';
import { pickAndRestore, tellRestored } from './restore-picker.ts';
import { planSession, type Restored, restoreSession } from './restore-session.ts';
import type { WindowParts } from './window.ts';

/** What scripts and other extensions may say; from the palette nothing is said, and everything asked. */
const order = z.object({
  session: z.optional(z.string()),
  seq: z.int(),
  scope: z._default(z.enum(['files', 'conversation', 'both']), 'files'),
  dryRun: z.optional(z.boolean()),
});

/** Resolves with what came of it or, of a dry run, with what would be done to each path. */
export async function restoreCheckpoint(parts: WindowParts, argument: unknown): Promise<unknown> {
  if (argument === undefined) return told(await pickAndRestore(parts));
  const { session = parts.sessions.shown.id, seq, scope, dryRun } = order.parse(argument);
  if (!dryRun) return restoreSession(parts, { session, seq, scope });
  const plan = await planSession(parts, session, seq);
  const files = plan.map(({ path, step: { kind } }) => ({
    path,
    step: kind,
    ...(['conflict', 'unkept', 'occupied'].includes(kind) && { reason: whyKept(kind) }),
  }));
  return { session, seq, scope, dryRun, files };
}

function told(restored: Restored | undefined): Restored | undefined {
  if (restored) void tellRestored(restored);
  return restored;
}
