import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { FollowedLog, LogFollower } from '../../core/ports/session-store.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { isLocked } from '../fs/lock-file.ts';
import { loadEvents } from '../log/load-events.ts';
import { type LogLine, logLines } from '../log/log-lines.ts';
import { LogOffsets } from '../log/log-offsets.ts';
import { readLog } from '../log/read-log.ts';
import { recordOf } from '../log/read-record.ts';

/**
 * Follows the log at `path` while another process, which holds the lock at `lock`, writes it. Rejects if the
 * log cannot be read.
 */
export async function followLog(path: string, lock: string, follower: LogFollower): Promise<FollowedLog> {
  const { events, head, end, places } = await readLog(path);
  const tail = new LogTail(path, end, head.seq, places);
  const looks = new Looks(tail, lock, follower);
  const watcher = watchFolder(path, (name) => looks.again(name !== basename(path)));
  looks.again(true);
  return {
    past: events,
    load: (first, last) => tail.load(first, last),
    close() {
      looks.stop();
      watcher?.close();
    },
  };
}

/** Returns undefined if the system cannot watch the folder. The log on screen does not grow then. */
function watchFolder(path: string, onChange: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => onChange(name));
    // The folder was deleted.
    return watcher.on('error', () => watcher.close());
  } catch {
    return undefined;
  }
}

/** Reads new events, one read at a time. A change that arrives during a read triggers one more read. */
class Looks {
  readonly #tail: LogTail;
  readonly #lock: string;
  readonly #follower: LogFollower;
  #isLooking = false;
  #isWanted = false;
  #asksForHolder = false;
  #isHeld: boolean | undefined;
  #isStopped = false;

  constructor(tail: LogTail, lock: string, follower: LogFollower) {
    this.#tail = tail;
    this.#lock = lock;
    this.#follower = follower;
  }

  again(asksForHolder: boolean): void {
    this.#isWanted = true;
    this.#asksForHolder ||= asksForHolder;
    if (!this.#isLooking) void this.#look();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      // The read fails while the log is missing or being replaced. The next change triggers another read.
      await this.#deliverAll().catch(() => undefined);
    }
    this.#isLooking = false;
  }

  async #deliverAll(): Promise<void> {
    for await (const events of this.#tail.news()) {
      if (this.#isStopped) return;
      if (events.length > 0) this.#follower.onEvents(events);
    }
    if (this.#asksForHolder) await this.#reportHolder();
  }

  async #reportHolder(): Promise<void> {
    this.#asksForHolder = false;
    const isHeld = await isLocked(this.#lock);
    if (isHeld === this.#isHeld || this.#isStopped) return;
    this.#isHeld = isHeld;
    this.#follower.onHeld(isHeld);
  }
}

/** Reads a log from the byte where the previous read stopped. */
class LogTail {
  readonly #path: string;
  #places: LogOffsets;
  #end: number;
  #seq: number;
  #file: number | undefined;

  constructor(path: string, end: number, seq: number, places: LogOffsets) {
    this.#path = path;
    this.#end = end;
    this.#seq = seq;
    this.#places = places;
  }

  load(first: number, last: number): Promise<readonly SessionEvent[]> {
    return loadEvents(this.#path, this.#places, first, last);
  }

  async *news(): AsyncGenerator<readonly SessionEvent[]> {
    const { size, ino } = await stat(this.#path);
    if (size < this.#end || (this.#file ?? ino) !== ino) this.#begin();
    this.#file = ino;
    for await (const lines of logLines(this.#path, { from: this.#end, to: size })) {
      yield lines.filter(({ isEnded }) => isEnded).flatMap((line) => this.#take(line) ?? []);
    }
  }

  /**
   * Restarts at byte 0 because the file was rewritten. The known events stay valid, but their offsets
   * changed.
   */
  #begin(): void {
    this.#end = 0;
    this.#places = new LogOffsets();
  }

  #take(line: LogLine): SessionEvent | undefined {
    this.#end = line.at + line.length + 1;
    const record = recordOf(line);
    if (!record || record.seq <= this.#seq) return undefined;
    this.#seq = record.seq;
    return record.event;
  }
}
