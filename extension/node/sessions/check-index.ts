import type { Clock } from '../../core/ports/clock.ts';
import { say } from '../../protocol/say.ts';
import { type IndexEnd, isAsIndexed, removeIndex } from '../log/log-index.ts';

/** Delay in milliseconds between opening a long log and checking the part that its index stands for. */
const SETTLED = 3_000;

const DAMAGED_BEFORE = say(
  'An early part of this session’s log was changed or damaged. Open the session again. Harness keeps the intact records and reports the lost ones.',
);

/**
 * Waits, then checks that the unread part of the log at `path` still matches its index. On a mismatch,
 * removes the index and resolves with a sentence for the user.
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
