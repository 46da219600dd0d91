import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SessionBusyError } from '../../core/ports/session-store.ts';
import { LockedError, type ProcessLock, takeLock } from '../fs/lock-file.ts';
import { SILENT_MS } from '../fs/lock-holder.ts';
import { makeFolder } from '../fs/make-folders.ts';

/** Short enough that other processes still see the lock as held when a beat or two are late. */
const BEAT_MS = SILENT_MS / 6;
/**
 * Milliseconds between two checks of the lock file. Other processes take a lock only after a silence, so
 * frequent events need few checks.
 */
const LOOK_MS = 1_000;

/** The lock of one session, which allows one writer. The process may lose the lock and take it again. */
export class SessionLock {
  readonly #path: string;
  #held: ProcessLock | undefined;
  /** When the lock file was last found unchanged, in milliseconds since the epoch. */
  #seen = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Whether this process may write. Checks the lock file at most once a second. If false, the caller must
   * call `hold`.
   */
  get isFresh(): boolean {
    const now = Date.now();
    if (Math.abs(now - this.#seen) < LOOK_MS) return true;
    if (!this.#held?.isFresh) return false;
    this.#seen = now;
    return true;
  }

  /**
   * Resolves when this process may write: false if it held the lock all the time, true if others may have
   * written meanwhile. Rejects with `SessionBusyError` while another process holds the lock.
   */
  async hold(): Promise<boolean> {
    this.#seen = 0;
    if (await this.#held?.beat()) return false;
    const folder = dirname(this.#path);
    await makeFolder(folder);
    try {
      this.#held = await lockSession(this.#path);
    } catch (error) {
      // `rmdir` leaves a folder that is not empty.
      await rmdir(folder).catch(() => undefined);
      throw error;
    }
    return true;
  }

  /** Shows processes on other machines that this one lives, until the caller calls the returned function. */
  keepBeating(): () => void {
    // The next beat retries a failed write. The check before the next event does so too.
    const timer = setInterval(() => void this.#held?.beat().catch(() => undefined), BEAT_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Never rejects. */
  async release(): Promise<void> {
    this.#seen = 0;
    await this.#held?.release();
    this.#held = undefined;
  }
}

/** Rejects with `SessionBusyError` while a living process holds the lock at `path`. */
export async function lockSession(path: string): Promise<ProcessLock> {
  try {
    return await takeLock(path);
  } catch (error) {
    throw error instanceof LockedError ? new SessionBusyError(error.holder) : error;
  }
}
