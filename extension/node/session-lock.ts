import { SessionBusyError } from '../core/ports/event-store.ts';
import type { SessionLock } from './jsonl-session-log.ts';
import { LockedError, takeLock } from './process-lock.ts';

/** A `SessionLock` at `path`. Rejects with `SessionBusyError` while another process holds it. */
export async function holdSession(path: string): Promise<SessionLock> {
  let unlock = await lockSession(path);
  return {
    async retake() {
      // The last try may have got so far, and no further.
      await unlock();
      unlock = await lockSession(path);
    },
    release: () => unlock(),
  };
}

/** One writer per session: rejects with `SessionBusyError` while a living process holds the lock at `path`. Returns how to give it back. */
export async function lockSession(path: string): Promise<() => Promise<void>> {
  try {
    return await takeLock(path);
  } catch (error) {
    throw error instanceof LockedError ? new SessionBusyError(error.holder) : error;
  }
}
