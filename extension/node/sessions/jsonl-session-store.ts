import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { blobHashesIn } from '../../core/checkpoints/blob-names.ts';
import { CHAIN_START, type Link, link } from '../../core/log/hash-chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import {
  type FollowedLog,
  type LogFollower,
  NewerLogError,
  NoSessionError,
  type OnUnread,
  type SessionEnd,
  type SessionLog,
  type SessionStore,
  type SessionSummary,
} from '../../core/ports/session-store.ts';
import { checkFork, linesOfFork } from '../../core/session/fork.ts';
import { LOG_VERSION, type SessionEvent } from '../../protocol/events.ts';
import { BlobFiles } from '../blobs/blob-files.ts';
import { errorCode } from '../fs/file-errors.ts';
import { makeFolder } from '../fs/make-folders.ts';
import { replaceFile } from '../fs/replace-file.ts';
import { removeLeftovers } from '../fs/temporary-files.ts';
import { wholeEvents } from '../log/load-events.ts';
import { logLines } from '../log/log-lines.ts';
import { LogOffsets } from '../log/log-offsets.ts';
import { logVersion } from '../log/log-version.ts';
import { readLog, storedLines } from '../log/read-log.ts';
import { readLogEnd } from '../log/read-log-end.ts';
import { blobsOf, isSessionId, lockOf, logOf, newSessionId } from '../log/session-files.ts';
import { followLog } from './follow-log.ts';
import { JsonlSessionLog } from './jsonl-session-log.ts';
import type { LogStart } from './repair-log.ts';
import { repairLog } from './repair-log.ts';
import { listedTitle, listSessions } from './session-index.ts';
import { SessionLock } from './session-lock.ts';

/** Stores sessions as folders below `root`, each with its `events.jsonl`. */
export class JsonlSessionStore implements SessionStore {
  readonly #root: string;
  readonly #clock: Clock;

  constructor(root: string, clock: Clock) {
    this.#root = root;
    this.#clock = clock;
  }

  async create(start: { cwd: string; product: string }): Promise<SessionLog> {
    const begin = (id: string, now: number) =>
      link(CHAIN_START, { type: 'session_started', version: LOG_VERSION, ...start }, id, now);
    try {
      return await this.#begin((id, now) => [begin(id, now).line]);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return this.#beginUnwritten(begin);
    }
  }

  async fork(
    id: string,
    before: number,
    start: { cwd: string; product: string; toModel?: string },
  ): Promise<SessionLog> {
    await refuseNewer(await this.#path(id));
    const past = await this.read(id);
    checkFork(past, before);
    const forkedFrom = { session: id, seq: before };
    const hashes = blobHashesIn(past.filter((event) => event.seq < before));
    return this.#begin(
      (fork, now) => linesOfFork(fork, this.stream(id), { ...start, forkedFrom }, now),
      (fork) => this.blobs(fork).adopt(hashes, blobsOf(this.#root, id)),
    );
  }

  async open(id: string): Promise<SessionLog> {
    const path = await this.#path(id);
    await refuseNewer(path);
    const lock = new SessionLock(lockOf(this.#root, id));
    try {
      await lock.hold();
      await removeLeftovers(join(this.#root, id));
      await removeLeftovers(blobsOf(this.#root, id));
      const start = await repairLog(this.#root, id, this.#clock.now());
      const log = this.#log(id, start, lock);
      await log.hold(start.index);
      return log;
    } catch (error) {
      await lock.release();
      if (errorCode(error) === undefined) throw error;
      // The disk takes no writes now. The log repairs the file before it writes the first event.
      const start = await readStart(path);
      if (start.past.length === 0) throw error;
      return this.#log(id, start, lock);
    }
  }

  async read(id: string): Promise<readonly SessionEvent[]> {
    return (await readLog(await this.#path(id))).events;
  }

  /** Yields events as `wholeEvents` does. Throws if there is no such session. */
  async *stream(id: string, onDamaged?: (lines: number) => void): AsyncGenerator<readonly SessionEvent[]> {
    yield* wholeEvents(await this.#path(id), onDamaged);
  }

  /** Yields the bytes of the log's intact lines; see `storedLines`. Throws if there is no such session. */
  async *stored(id: string, onDamaged: () => void): AsyncGenerator<Uint8Array> {
    yield* storedLines(await this.#path(id), onDamaged);
  }

  async follow(id: string, follower: LogFollower): Promise<FollowedLog> {
    const path = await this.#path(id);
    const isNewer = (await logVersion(path)) > LOG_VERSION;
    // This version must not write a newer log, so the follower never sees the lock released.
    const notified = isNewer ? { ...follower, onHeld: () => follower.onHeld(true) } : follower;
    return followLog(path, lockOf(this.#root, id), notified);
  }

  async readEnd(id: string): Promise<SessionEnd> {
    const { name, prompt, events } = await readLogEnd(await this.#path(id));
    if (events.length === 0) return { title: '', events };
    return { title: name ?? (await listedTitle(this.#root, id)) ?? prompt, events };
  }

  blobs(id: string): BlobFiles {
    return new BlobFiles(blobsOf(this.#root, id));
  }

  list(onUnread?: OnUnread): Promise<readonly SessionSummary[]> {
    return listSessions(this.#root, onUnread);
  }

  /**
   * Creates and opens a session. `prepare` first stores the bytes that the session's events name. Removes the
   * folder on failure.
   */
  async #begin(
    linesOf: (id: string, now: number) => Iterable<string> | AsyncIterable<string>,
    prepare: (id: string) => Promise<void> = async () => {},
  ): Promise<SessionLog> {
    const now = this.#clock.now();
    const id = newSessionId(now);
    const folder = join(this.#root, id);
    try {
      await makeFolder(folder);
      await prepare(id);
      await replaceFile(logOf(this.#root, id), bytesOf(linesOf(id, now)));
    } catch (error) {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      throw error;
    }
    return this.open(id);
  }

  /** Creates a session that stays in memory until the disk takes it. */
  async #beginUnwritten(begin: (id: string, now: number) => Link): Promise<SessionLog> {
    const now = this.#clock.now();
    const { event, line, head } = begin(newSessionId(now), now);
    const start = { past: [event], repairs: [], head, places: new LogOffsets() };
    const log = this.#log(event.session, start, new SessionLock(lockOf(this.#root, event.session)));
    await log.begin(line);
    return log;
  }

  #log(id: string, start: LogStart, lock: SessionLock): JsonlSessionLog {
    return new JsonlSessionLog(this.#root, id, start, this.#clock, lock);
  }

  /**
   * Yields the lines of the log as they are in the file, one batch per read. Throws if there is no such
   * session.
   */
  async *lines(id: string): AsyncGenerator<readonly string[]> {
    for await (const lines of logLines(await this.#path(id)))
      yield lines.map(({ bytes }) => bytes.toString());
  }

  async #path(id: string): Promise<string> {
    const path = logOf(this.#root, id);
    const exists = isSessionId(id) && (await stat(path).catch(() => undefined));
    if (!exists) throw new NoSessionError(id);
    return path;
  }
}

/** Reads the log without repairing it. */
async function readStart(path: string): Promise<LogStart> {
  const { events: past, head, places } = await readLog(path);
  return { past, head, places, repairs: [] };
}

/** Approximate size of one write, in characters. */
const WRITTEN_AT_ONCE = 256 * 1024;

async function refuseNewer(path: string): Promise<void> {
  const version = await logVersion(path);
  if (version > LOG_VERSION) throw new NewerLogError(version);
}

async function* bytesOf(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const line of lines) {
    text += `${line}\n`;
    if (text.length < WRITTEN_AT_ONCE) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
