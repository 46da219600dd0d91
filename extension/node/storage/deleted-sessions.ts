import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../../core/ports/clock.ts';
import { NoSessionError } from '../../core/ports/session-store.ts';
import { say } from '../../protocol/say.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { deletedBelow, isSessionId, lockOf, logOf } from '../log/session-files.ts';
import { lockSession } from '../sessions/session-lock.ts';

const DAYS_KEPT = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes sessions so that the user can undo it for 30 days: moves their folders to `deleted` beside them.
 */
export class DeletedSessions {
  readonly #root: string;
  readonly #clock: Clock;

  /** `root` is the folder that holds a folder for each session. */
  constructor(root: string, clock: Clock) {
    this.#root = root;
    this.#clock = clock;
  }

  /**
   * Rejects with `SessionBusyError` while a process writes the session, and with `NoSessionError` if there is
   * none.
   */
  async remove(id: string): Promise<void> {
    if (!(await this.#isIn(this.#root, id))) throw new NoSessionError(id);
    const lock = await lockSession(lockOf(this.#root, id));
    const aside = join(deletedBelow(this.#root), id);
    try {
      await mkdir(deletedBelow(this.#root), { recursive: true, mode: 0o700 });
      // The session was deleted before, and an import brought it back from a file.
      if (await ifPresent(stat(aside))) await rename(aside, `${aside}-${this.#clock.now()}`);
      await rename(join(this.#root, id), aside);
    } finally {
      await lock.release();
    }
    // The deletion is complete. The lock moved along with the folder; one that stays there has no effect.
    await rm(lockOf(deletedBelow(this.#root), id), { force: true }).catch(() => undefined);
    const now = new Date(this.#clock.now());
    await utimes(aside, now, now).catch(() => undefined);
  }

  /** Restores a deleted session unchanged. Rejects if it was removed for good. */
  async restore(id: string): Promise<void> {
    if (!(await this.#isIn(deletedBelow(this.#root), id)))
      throw new Error(say('This session was permanently deleted. It cannot be brought back.'));
    if (await ifPresent(stat(join(this.#root, id))))
      throw new Error(say('This session exists again: it was imported from a file.'));
    await rename(join(deletedBelow(this.#root), id), join(this.#root, id));
  }

  /**
   * Removes sessions for good that were deleted more than 30 days ago, and images that nothing else names.
   */
  async purge(): Promise<void> {
    const folders = await foldersIn(deletedBelow(this.#root));
    const areOld = await Promise.all(folders.map((folder) => this.#isOld(folder)));
    await this.discard(folders.filter((_, index) => areOld[index]).map((folder) => basename(folder)));
  }

  /**
   * Like `purge`, for the given names of folders. If a removal fails, continues with the others and then
   * rejects with the first reason.
   */
  async discard(names: readonly string[]): Promise<void> {
    const images = new Set<string>();
    const failures: unknown[] = [];
    for (const name of names) {
      const folder = join(deletedBelow(this.#root), name);
      for await (const image of attachmentsNamedIn(folder)) images.add(image);
      await rm(folder, { recursive: true, force: true }).catch((error) => failures.push(error));
    }
    if (images.size > 0) await this.#removeUnused(images);
    if (failures.length > 0) throw failures[0];
  }

  /** Keeps recent images, because the user may have just attached one that nothing names yet. */
  async #removeUnused(images: Set<string>): Promise<void> {
    const others = [...(await foldersIn(this.#root)), ...(await foldersIn(deletedBelow(this.#root)))];
    for (const folder of others) for await (const name of attachmentsNamedIn(folder)) images.delete(name);
    for (const name of images) {
      const path = join(this.#root, name);
      if (await this.#isOld(path)) await rm(path, { force: true });
    }
  }

  async #isOld(path: string): Promise<boolean> {
    const oldest = this.#clock.now() - DAYS_KEPT * DAY_MS;
    const found = await ifPresent(stat(path));
    return found !== undefined && found.mtimeMs < oldest;
  }

  async #isIn(root: string, id: string): Promise<boolean> {
    return isSessionId(id) && (await ifPresent(stat(logOf(root, id)))) !== undefined;
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = (await ifPresent(readdir(folder, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

const NAMES = /attachments\/[0-9a-f]{64}\.(?:png|jpg|gif|webp)/g;
/** Characters of the longest name, minus one: as much of a name may be cut off at the end of a chunk. */
const LONGEST_CUT = 'attachments/'.length + 64 + '.webp'.length - 1;

/** Yields the names of attachments in the files of a folder: a session's log, its queue and its draft. */
export async function* attachmentsNamedIn(folder: string): AsyncGenerator<string> {
  const entries = (await ifPresent(readdir(folder, { withFileTypes: true }))) ?? [];
  for (const entry of entries) if (entry.isFile()) yield* namesIn(join(folder, entry.name));
}

async function* namesIn(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of createReadStream(path, 'latin1')) {
    const text = `${rest}${piece}`;
    for (const [name] of text.matchAll(NAMES)) yield name;
    rest = text.slice(-LONGEST_CUT);
  }
}
