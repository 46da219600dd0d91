import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SessionBusyError } from '../../core/ports/session-store.ts';
import { LockedError, type ProcessLock, takeLock } from '../fs/lock-file.ts';
import { SILENT_MS } from '../fs/lock-holder.ts';
import { makeFolder } from '../fs/make-folders.ts';

/** Often enough to be heard when a beat or two come late. */
const BEAT_MS = SILENT_MS / 6;
/** A lock is taken away after a rest: while events come one upon the other, a look now and then is enough. */
const LOOK_MS = 1_000;

/** One writer per session: the lock of one, which may be lost and taken again. */
export class SessionLock {
  readonly #path: string;
  #held: ProcessLock | undefined;
  /** When it was last found as it was left, milliseconds since the epoch. */
  #seen = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** This process may write. Costs a look at the file, once a second; where it is false, `hold` tells. */
  get isFresh(): boolean {
    const now = Date.now();
    if (Math.abs(now - this.#seen) < LOOK_MS) return true;
    if (!this.#held?.isFresh) return false;
    this.#seen = now;
    return true;
  }

  /**
   * Resolves when this process may write: with false where it was so all the time, with true where others may have written
   * meanwhile. Rejects with `SessionBusyError` while another one holds it.
   */
  async hold(): Promise<boolean> {
    this.#seen = 0;
    if (await this.#held?.beat()) return false;
    const folder = dirname(this.#path);
    await makeFolder(folder);
    try {
      this.#held = await lockSession(this.#path);
    } catch (error) {
      // What is not empty stays.
      await rmdir(folder).catch(() => undefined);
      throw error;
    }
    return true;
  }

  /** Lets those hear of this process who cannot see it, until what is returned is called. */
  keepBeating(): () => void {
    // What cannot be written now is tried again, and before the next event in any case.
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
