import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namedBlobs } from '../core/files/named-blobs.ts';
import type { Clock } from '../core/ports/clock.ts';
import type {
  FollowedLog,
  LogFollower,
  SessionEnd,
  SessionLog,
  SessionStore,
  SessionSummary,
} from '../core/ports/event-store.ts';
import { CHAIN_START, link } from '../core/session/chain.ts';
import { checkFork, linesOfFork } from '../core/session/fork.ts';
import { LOG_VERSION, type SessionEvent } from '../protocol/events.ts';
import { say } from '../protocol/say.ts';
import { BlobFiles } from './blob-files.ts';
import { followLog } from './follow-log.ts';
import { JsonlSessionLog } from './jsonl-session-log.ts';
import { wholeEvents } from './load-events.ts';
import { mendLog } from './mend-log.ts';
import { readLog } from './read-log.ts';
import { readLogEnd } from './read-log-end.ts';
import { replaceFile } from './replace-file.ts';
import { blobsOf, isSessionId, lockOf, logOf, newSessionId } from './session-files.ts';
import { listedTitle, listSessions } from './session-index.ts';
import { holdSession } from './session-lock.ts';
import { removeLeftovers } from './temporary-files.ts';

/** Sessions as folders below `root`, each with its `events.jsonl`. */
export class JsonlSessionStore implements SessionStore {
  readonly #root: string;
  readonly #clock: Clock;

  constructor(root: string, clock: Clock) {
    this.#root = root;
    this.#clock = clock;
  }

  create(start: { cwd: string; product: string }): Promise<SessionLog> {
    return this.#begin((id, now) => [
      link(CHAIN_START, { type: 'session_started', version: LOG_VERSION, ...start }, id, now).line,
    ]);
  }

  async fork(
    id: string,
    before: number,
    start: { cwd: string; product: string; toModel?: string },
  ): Promise<SessionLog> {
    const past = await this.read(id);
    checkFork(past, before);
    const forkedFrom = { session: id, seq: before };
    const hashes = namedBlobs(past.filter((event) => event.seq < before));
    return this.#begin(
      (fork, now) => linesOfFork(fork, this.stream(id), { ...start, forkedFrom }, now),
      (fork) => this.blobs(fork).adopt(hashes, blobsOf(this.#root, id)),
    );
  }

  async open(id: string): Promise<SessionLog> {
    const path = await this.#path(id);
    const lock = await holdSession(lockOf(this.#root, id));
    try {
      await removeLeftovers(join(this.#root, id));
      await removeLeftovers(blobsOf(this.#root, id));
      const start = await mendLog(path, this.#clock.now());
      const log = new JsonlSessionLog(id, path, this.blobs(id), start, this.#clock, lock);
      await log.hold();
      return log;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async read(id: string): Promise<readonly SessionEvent[]> {
    return (await readLog(await this.#path(id))).events;
  }

  async *stream(id: string): AsyncGenerator<readonly SessionEvent[]> {
    yield* wholeEvents(await this.#path(id));
  }

  async follow(id: string, follower: LogFollower): Promise<FollowedLog> {
    return followLog(await this.#path(id), lockOf(this.#root, id), follower);
  }

  async readEnd(id: string): Promise<SessionEnd> {
    const { name, prompt, events } = await readLogEnd(await this.#path(id));
    if (events.length === 0) return { title: '', events };
    return { title: name ?? (await listedTitle(this.#root, id)) ?? prompt, events };
  }

  blobs(id: string): BlobFiles {
    return new BlobFiles(blobsOf(this.#root, id));
  }

  list(): Promise<readonly SessionSummary[]> {
    return listSessions(this.#root);
  }

  /** `prepare`: what its events name is brought there before them. */
  async #begin(
    linesOf: (id: string, now: number) => Iterable<string> | AsyncIterable<string>,
    prepare: (id: string) => Promise<void> = async () => {},
  ): Promise<SessionLog> {
    const now = this.#clock.now();
    const id = newSessionId(now);
    await mkdir(join(this.#root, id), { recursive: true, mode: 0o700 });
    await prepare(id);
    await replaceFile(logOf(this.#root, id), bytesOf(linesOf(id, now)));
    return this.open(id);
  }

  /** The lines of its log, as they stand in the file. Rejects where there is no such session. */
  async lines(id: string): Promise<readonly string[]> {
    return (await readFile(await this.#path(id), 'utf8')).trimEnd().split('\n');
  }

  async #path(id: string): Promise<string> {
    const path = logOf(this.#root, id);
    const exists = isSessionId(id) && (await stat(path).catch(() => undefined));
    if (!exists) throw new Error(say('There is no session “{0}”.', id));
    return path;
  }
}

/** Bytes that are written at once, about. */
const WRITTEN_AT_ONCE = 256 * 1024;

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
