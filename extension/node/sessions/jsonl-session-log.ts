import { rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { versionOf } from '../../core/base/content-hash.ts';
import { prefixIn, withoutPrefix } from '../../core/checkpoints/blob-names.ts';
import { type ChainHead, hashLine, type Link, link } from '../../core/log/hash-chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { SessionBusyError, type SessionLog } from '../../core/ports/session-store.ts';
import type { EventDraft, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { BlobFiles } from '../blobs/blob-files.ts';
import { AppendFile, type Loss } from '../fs/append-file.ts';
import { diskTrouble } from '../fs/disk-problem.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { keepCopyAs } from '../fs/set-aside.ts';
import { loadEvents } from '../log/load-events.ts';
import { type IndexEnd, updateIndex } from '../log/log-index.ts';
import type { LogOffsets } from '../log/log-offsets.ts';
import { blobsOf, logOf } from '../log/session-files.ts';
import { checkIndex } from './check-index.ts';
import {
  LogNotices,
  notKept,
  replacedBy,
  takenOver,
  takenOverEarlier,
  versionsLost,
  WRITTEN_ANEW,
} from './log-notices.ts';
import { type LogStart, repairLog, SHORTENED } from './repair-log.ts';
import { restoreBlobs } from './restore-blobs.ts';
import type { SessionLock } from './session-lock.ts';

/**
 * One session's `events.jsonl`. Only this process writes it until `close`. While the file cannot be written,
 * or another process holds the lock, the log buffers appended events in memory. After another process has
 * continued the log, this process writes to a separate file beside it.
 */
export class JsonlSessionLog implements SessionLog {
  readonly past: readonly SessionEvent[];
  readonly repairs: readonly string[];
  readonly blobs: BlobFiles;
  /**
   * Bytes passed to `keep`, by hash, that are not on disk: no event names them yet, or the disk rejected
   * them.
   */
  readonly #unwritten = new Map<string, Uint8Array>();
  /** A notice already reported that the disk rejects such bytes, and no write of them has succeeded since. */
  #isUnkeptReported = false;
  readonly #root: string;
  readonly #path: string;
  readonly #file: AppendFile;
  readonly #clock: Clock;
  readonly #lock: SessionLock;
  #places: LogOffsets;
  #head: ChainHead;
  /** SHA-256 of the last line in the file when it was opened. */
  readonly #openedAt: string;
  readonly #notices = new LogNotices();
  /**
   * The file that took the log's place since the last successful write, and the name of its copy. Retries
   * reuse that copy.
   */
  #aside: { readonly ino: number; readonly name: string } | undefined;
  /**
   * File versions may be lost since the last successful write, because another folder may have taken the
   * session's place.
   */
  #hasLostFolder = false;
  #regaining = Promise.resolve();
  readonly #closing = new AbortController();
  /** Why this process writes to a separate file: another process continued or holds the log. */
  #taken: string | undefined;
  /** The session began in memory only; see `begin`. */
  #isUnwritten = false;

  /** Session `id` below `root`. */
  constructor(
    root: string,
    readonly id: string,
    start: LogStart,
    clock: Clock,
    lock: SessionLock,
  ) {
    const path = logOf(root, id);
    this.past = start.past;
    this.repairs = start.repairs;
    this.#head = start.head;
    this.#openedAt = start.head.hash;
    this.#places = start.places;
    this.#root = root;
    this.#path = path;
    this.blobs = new BlobFiles(blobsOf(root, id));
    this.#file = new AppendFile(path, {
      onLost: (how) => this.#mendLoss(how),
      mayWrite: () => this.#mayWrite(),
    });
    this.#clock = clock;
    this.#lock = lock;
  }

  /**
   * Opens the file, so that the log can be rewritten if it is removed. With `index`, also starts a check of
   * the part that was not read.
   */
  async hold(index?: IndexEnd): Promise<void> {
    await this.#file.hold();
    if (!index) return;
    const checked = checkIndex(this.#path, index, this.#clock, this.#closing.signal);
    checked.then(
      (damage) => damage !== undefined && this.#notices.add(damage),
      () => undefined,
    );
  }

  /** Writes the log's first line, or buffers it until the disk takes it. Never rejects. */
  async begin(line: string): Promise<void> {
    this.#isUnwritten = true;
    await this.#file.append(`${line}\n`).catch(() => undefined);
  }

  get trouble(): string | undefined {
    const { problem } = this.#file;
    return problem === undefined ? this.#taken : diskTrouble(problem);
  }

  async append(drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]> {
    const isKept = drafts.every((draft) => !this.#unwritten.has(prefixIn(draft) ?? ''));
    const named = isKept ? drafts : await Promise.all(drafts.map((draft) => this.#withBytes(draft)));
    const links = this.#linkAll([...this.#notices.take(), ...named]);
    // On failure, `#file` buffers the text, and `trouble` gives the reason.
    const text = links.map(({ line }) => `${line}\n`).join('');
    await this.#file.append(text).then(
      () => this.#written(),
      () => undefined,
    );
    return links.map(({ event }) => event);
  }

  #written(): void {
    this.#notices.forget();
    this.#aside = undefined;
    if (!this.#hasLostFolder) return;
    this.#hasLostFolder = false;
    this.#regaining = this.#regain().catch(() => undefined);
  }

  async #regain(): Promise<void> {
    const lost = await restoreBlobs(this.#file.path, this.blobs);
    if (lost > 0) this.#notices.add(versionsLost(lost));
  }

  keep(bytes: Uint8Array): void {
    this.#unwritten.set(versionOf(bytes), bytes);
  }

  /**
   * Stores the bytes that the draft names, then resolves with the draft. If the bytes cannot be stored,
   * resolves with a draft that names none.
   */
  async #withBytes(draft: EventDraft): Promise<EventDraft> {
    const name = prefixIn(draft) ?? '';
    const bytes = this.#unwritten.get(name);
    if (!bytes) return draft;
    try {
      await this.blobs.put(bytes);
      this.#unwritten.delete(name);
      this.#isUnkeptReported = false;
      return draft;
    } catch (error) {
      if (!this.#isUnkeptReported) this.#notices.add(notKept(diskTrouble(error)));
      this.#isUnkeptReported = true;
      return withoutPrefix(draft);
    }
  }

  async sync(): Promise<void> {
    await this.#file.sync();
    this.#refuseTaken();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    try {
      await this.#file.settle().catch((error) => this.#leaveTo(error));
      await this.#appendNotices();
      // Retries a failed write, and rejects with the reason if it fails again.
      await this.#file.close();
      this.#refuseTaken();
      // Without an index, the next `open` reads the whole log.
      await updateIndex(this.#path).catch(() => undefined);
    } catch (error) {
      throw new Error(say('The session log could not be written: {0.}', diskTrouble(error)), {
        cause: error,
      });
    } finally {
      if (this.#isUnwritten && this.#file.newest === undefined) await removeFolder(dirname(this.#path));
      await this.#lock.release();
    }
  }

  async #appendNotices(): Promise<void> {
    if (!this.#notices.isEmpty || this.#hasLostFolder) await this.append([]);
    await this.#regaining;
    if (!this.#notices.isEmpty) await this.append([]);
  }

  atWork(): () => void {
    return this.#lock.keepBeating();
  }

  load(first: number, last: number): Promise<readonly SessionEvent[]> {
    return loadEvents(this.#file.path, this.#places, first, last);
  }

  /** Returns undefined if this process may write now. Otherwise resolves when it may, or rejects. */
  #mayWrite(): Promise<void> | undefined {
    return this.#taken !== undefined || this.#lock.isFresh ? undefined : this.#hold();
  }

  async #hold(): Promise<void> {
    if (await this.#lock.hold()) await this.#checkAsLeft().catch((error) => this.#letGo(error));
  }

  async #letGo(error: unknown): Promise<never> {
    await this.#lock.release();
    throw error;
  }

  /**
   * Runs after this process regained the lock. Another process may have continued or repaired the log
   * meanwhile.
   */
  async #checkAsLeft(): Promise<void> {
    const found = await ifPresent(repairLog(this.#root, this.id, this.#clock.now()));
    if (!found) return;
    const last = this.#lastHash();
    if (found.head.hash === last) {
      this.#continueAt(found);
      await this.#file.reopen();
    } else if (!(await this.#file.isReplacedByBeginning())) {
      const isBehind = found.past.some(({ prev }) => prev === last);
      await this.#continueBeside(isBehind ? takenOver : takenOverEarlier);
      await this.#lock.release();
    }
  }

  /**
   * If another process still holds the log at close, saves the events of this process beside it. Never
   * rejects.
   */
  async #leaveTo(error: unknown): Promise<void> {
    if (!(error instanceof SessionBusyError)) return;
    const why = (name: string) => say('{0.} This conversation is saved as {1}.', error.message, name);
    await this.#continueBeside(why).catch(() => undefined);
  }

  /**
   * Copies the log to a new file beside it, and writes there from now on. `why` turns the file's name into
   * the reason.
   */
  async #continueBeside(why: (name: string) => string): Promise<void> {
    const aside = `${this.#path}.lost-${this.#clock.now()}`;
    await this.#file.goOnAt(aside);
    this.#taken = why(basename(aside));
    this.#hasLostFolder = true;
  }

  #refuseTaken(): void {
    if (this.#taken !== undefined) throw new Error(this.#taken);
  }

  async #mendLoss(how: Loss): Promise<void> {
    if (this.#taken !== undefined) return;
    this.#hasLostFolder ||= how !== 'shortened';
    if (how === 'gone') {
      await this.#lock.hold();
      this.#notices.add(WRITTEN_ANEW);
    } else if (how === 'replaced') {
      this.#notices.add(replacedBy(await this.#keepCopyAs()));
    } else {
      this.#continueAt(await repairLog(this.#root, this.id, this.#clock.now()));
      this.#notices.add(SHORTENED);
    }
  }

  /**
   * Copies the file that took the log's place, unless it did so before. Resolves with the name of the copy.
   */
  async #keepCopyAs(): Promise<string> {
    const { ino } = await stat(this.#path);
    if (this.#aside?.ino !== ino) {
      const aside = `${this.#path}.replaced-${this.#clock.now()}`;
      await keepCopyAs(this.#path, aside);
      this.#aside = { ino, name: basename(aside) };
    }
    return this.#aside.name;
  }

  /** Adopts the repaired file; the next append goes behind its content. */
  #continueAt({ places, repairs }: LogStart): void {
    this.#places = places;
    for (const message of repairs) this.#notices.add(message);
  }

  /** SHA-256 of the last line that this process knows to be in the file. */
  #lastHash(): string {
    const { newest } = this.#file;
    return newest === undefined ? this.#openedAt : hashLine(newest.trimEnd().split('\n').at(-1) ?? '');
  }

  /** Links all drafts or none. If one is too long for a line, `link` throws and the head stays unchanged. */
  #linkAll(drafts: readonly EventDraft[]): readonly Link[] {
    let head = this.#head;
    const links = drafts.map((draft) => {
      const next = link(head, draft, this.id, this.#clock.now());
      head = next.head;
      return next;
    });
    this.#head = head;
    return links;
  }
}

/** Removes the folder of a session whose first line never reached the disk. Never rejects. */
async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
