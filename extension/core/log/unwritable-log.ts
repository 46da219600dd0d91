// What Harness reports and does while it cannot write a session's log.
import type { EventDraft } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { Clock } from '../ports/clock.ts';
import type { SessionLog } from '../ports/session-store.ts';

const RETRY_MS = 5_000;

/** `trouble`: the system's reason. */
export function logUnwritable(trouble: string): EventDraft {
  const message = say(
    'Harness cannot write the session log: {0.}. The conversation continues in memory, and Harness runs nothing that makes changes. It retries every few seconds. What is still unwritten is lost when you close the session.',
    trouble,
  );
  return { type: 'error', code: 'log', message, retryable: false };
}

export const LOG_WRITABLE_AGAIN: EventDraft = {
  type: 'notice',
  message: say('Harness can write the session log again. Nothing is missing from it.'),
};

/** Retries `write` until it works or the signal is aborted. Never rejects. */
export async function retryUntilWritten(
  log: Pick<SessionLog, 'trouble'>,
  write: () => Promise<void>,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  while (log.trouble !== undefined) {
    await clock.sleep(RETRY_MS, signal);
    if (signal.aborted) return;
    await write().catch(() => undefined);
  }
}
