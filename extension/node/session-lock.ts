import { SessionBusyError } from '../core/ports/event-store.ts';
import { LockedError, takeLock } from './process-lock.ts';

/** One writer per session: rejects with `SessionBusyError` while a living process holds the lock at `path`. Returns how to give it back. */
export async function lockSession(path: string): Promise<() => Promise<void>> {
  try {
    return await takeLock(path);
  } catch (error) {
    throw error instanceof LockedError ? new SessionBusyError(error.holder) : error;
  }
}
