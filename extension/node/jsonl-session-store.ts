import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/ports/clock.ts';
import type { SessionLog, SessionStore, SessionSummary } from '../core/ports/event-store.ts';
import { CHAIN_START, link } from '../core/session/chain.ts';
import { LOG_VERSION, type SessionEvent } from '../protocol/events.ts';
import { AppendFile } from './append-file.ts';
import { JsonlSessionLog } from './jsonl-session-log.ts';
import { mendLog } from './mend-log.ts';
import { readLog } from './read-log.ts';
import { lockSession } from './session-lock.ts';
import { summarizeSession } from './session-summary.ts';

const LOG = 'events.jsonl';
const LOCK = 'lock';
/** Files that a list has open at the same time. */
const AT_ONCE = 32;

/** Sessions as folders below `root`, each with its `events.jsonl`. */
export class JsonlSessionStore implements SessionStore {
  readonly #root: string;
  readonly #clock: Clock;

  constructor(root: string, clock: Clock) {
    this.#root = root;
    this.#clock = clock;
  }

  async create(start: { cwd: string; product: string }): Promise<SessionLog> {
    const now = this.#clock.now();
    const id = `${new Date(now).toISOString().slice(0, 19).replace(/\D/g, '')}-${randomUUID().slice(0, 8)}`;
    await mkdir(join(this.#root, id), { recursive: true, mode: 0o700 });
    const file = new AppendFile(join(this.#root, id, LOG));
    const first = link(CHAIN_START, { type: 'session_started', version: LOG_VERSION, ...start }, id, now);
    await file.append(() => `${first.line}\n`);
    await file.close();
    return this.open(id);
  }

  async open(id: string): Promise<SessionLog> {
    const path = await this.#path(id);
    const unlock = await lockSession(join(this.#root, id, LOCK));
    try {
      const start = await mendLog(path, this.#clock.now());
      return new JsonlSessionLog(id, path, start, this.#clock, unlock);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  async read(id: string): Promise<readonly SessionEvent[]> {
    return readLog(await readFile(await this.#path(id))).events;
  }

  async list(): Promise<readonly SessionSummary[]> {
    const ids = await this.#ids();
    const found: SessionSummary[] = [];
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const some = ids.slice(start, start + AT_ONCE);
      const summaries = await Promise.all(some.map((id) => summarizeSession(id, join(this.#root, id, LOG))));
      found.push(...summaries.filter((summary) => summary !== undefined));
    }
    return found.sort((a, b) => b.updated - a.updated);
  }

  #ids(): Promise<string[]> {
    return readdir(this.#root).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
  }

  async #path(id: string): Promise<string> {
    const path = join(this.#root, id, LOG);
    const exists = /^[\w-]+$/.test(id) && (await stat(path).catch(() => undefined));
    if (!exists) throw new Error(`There is no session “${id}”.`);
    return path;
  }
}
