import type { Clock } from '../../core/ports/clock.ts';
import { say } from '../../protocol/say.ts';
import { type IndexEnd, isAsIndexed, removeIndex } from '../log/log-index.ts';

/** Milliseconds from the opening of a long log until the part of it is read that its index stands for. */
const SETTLED = 3_000;

const DAMAGED_BEFORE = say(
  'An early part of this session’s log is not as Harness wrote it any more. Open the session again: what is intact is kept, and what is not is told.',
);

/**
 * Looks, a while after the log at `path` was opened, whether the part of it that was not read is what its index says; else
 * that is removed. Resolves with a sentence then.
 */
export async function checkIndex(
  path: string,
  index: IndexEnd,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  await clock.sleep(SETTLED, signal);
  if (signal.aborted || (await isAsIndexed(path, index, signal))) return undefined;
  await removeIndex(path);
  return DAMAGED_BEFORE;
}
