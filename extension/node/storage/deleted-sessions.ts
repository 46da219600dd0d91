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

/** Deletes sessions in a way that can be undone for 30 days: their folders are moved to `deleted` beside them. */
export class DeletedSessions {
  readonly #root: string;
  readonly #clock: Clock;

  /** `root` is the folder that holds a folder for each session. */
  constructor(root: string, clock: Clock) {
    this.#root = root;
    this.#clock = clock;
  }

  /** Rejects with `SessionBusyError` while a process writes the session, or where there is none. */
  async remove(id: string): Promise<void> {
    if (!(await this.#isIn(this.#root, id))) throw new NoSessionError(id);
    const lock = await lockSession(lockOf(this.#root, id));
    const aside = join(deletedBelow(this.#root), id);
    try {
      await mkdir(deletedBelow(this.#root), { recursive: true, mode: 0o700 });
      // It was deleted before, and has come back from a file.
      if (await ifPresent(stat(aside))) await rename(aside, `${aside}-${this.#clock.now()}`);
      await rename(join(this.#root, id), aside);
    } finally {
      await lock.release();
    }
    // It is done. The lock was moved along; one that stays there is worthless.
    await rm(lockOf(deletedBelow(this.#root), id), { force: true }).catch(() => undefined);
    const now = new Date(this.#clock.now());
    await utimes(aside, now, now).catch(() => undefined);
  }

  /** Brings a deleted session back as it was. Rejects where it is gone for good. */
  async restore(id: string): Promise<void> {
    if (!(await this.#isIn(deletedBelow(this.#root), id)))
      throw new Error(say('This session was deleted for good and cannot be brought back.'));
    if (await ifPresent(stat(join(this.#root, id))))
      throw new Error(say('This session is there again: it has come back from a file.'));
    await rename(join(deletedBelow(this.#root), id), join(this.#root, id));
  }

  /** Removes for good what was deleted more than 30 days ago, and the images that nothing else names. */
  async purge(): Promise<void> {
    const folders = await foldersIn(deletedBelow(this.#root));
    const areOld = await Promise.all(folders.map((folder) => this.#isOld(folder)));
    await this.discard(folders.filter((_, index) => areOld[index]).map((folder) => basename(folder)));
  }

  /** The same for these, by the names of their folders. Where one cannot be removed, the others are, and it rejects with why. */
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

  /** What is young may have been attached a moment ago, and be named nowhere yet. */
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
/** Characters of the longest name, less one: what may be cut off at the end of a piece. */
const LONGEST_CUT = 'attachments/'.length + 64 + '.webp'.length - 1;

/** The names of attachments in the files of a folder: a session's log, its queue and its draft. */
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
