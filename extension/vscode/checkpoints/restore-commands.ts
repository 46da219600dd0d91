import * as z from 'zod/mini';
import { planSession, type Restored, restoreSession } from '../../app/checkpoints/restore-session.ts';
import { describeKept } from '../../core/checkpoints/restore/restore.ts';
import { argumentOf } from '../base/command-argument.ts';
import type { WindowParts } from '../panel/panel-parts.ts';
import { pickAndRestore, reportRestored } from './restore-picker.ts';

/** Argument from scripts and other extensions. Without one (the palette), Harness asks the user. */
const order = z.object({
  session: z.optional(z.string()),
  seq: z.int(),
  scope: z._default(z.enum(['files', 'conversation', 'both']), 'files'),
  dryRun: z.optional(z.boolean()),
});

/** Resolves with the result or, for a dry run, with the planned step for each path. */
export async function restoreCheckpoint(parts: WindowParts, argument: unknown): Promise<unknown> {
  if (argument === undefined) return pickAndReport(parts);
  const { session = parts.sessions.shown.workedOn.id, seq, scope, dryRun } = argumentOf(order, argument);
  if (!dryRun) return restoreSession(parts, { session, seq, scope });
  const { plan, unknown } = await planSession(parts, session, seq, scope);
  const files = plan.map(({ path, step }) => ({
    path,
    step: step.kind,
    ...(['conflict', 'unkept', 'occupied'].includes(step.kind) && { reason: describeKept(step) }),
  }));
  return { session, seq, scope, dryRun, files, unknown };
}

async function pickAndReport(parts: WindowParts): Promise<Restored | undefined> {
  const restored = await pickAndRestore(parts);
  if (restored) void reportRestored(parts, restored);
  return restored;
}
