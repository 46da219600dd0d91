import type { BlobStore } from '../core/ports/blob-store.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { SessionLog } from '../core/ports/event-store.ts';
import { type ChainHead, type Link, link } from '../core/session/chain.ts';
import type { EventDraft, SessionEvent } from '../protocol/events.ts';
import { say } from '../protocol/say.ts';
import { AppendFile } from './append-file.ts';
import { loadEvents } from './load-events.ts';
import { updateIndex } from './log-index.ts';
import type { LogPlaces } from './log-places.ts';

/** What an opened log begins with. */
export interface LogStart {
  readonly past: readonly SessionEvent[];
  readonly repairs: readonly string[];
  readonly head: ChainHead;
  readonly places: LogPlaces;
}

/** Who may write it. */
export interface SessionLock {
  /** After it was lost with the session's folder. Rejects with `SessionBusyError`. */
  retake(): Promise<void>;
  release(): Promise<void>;
}

const WRITTEN_ANEW = {
  type: 'notice',
  message: say(
    'The folder of this session was removed or moved while it was open. Harness has written its log anew; nothing that was said is lost.',
  ),
} as const;

/** One session's `events.jsonl`, held by this process alone until it is closed. */
export class JsonlSessionLog implements SessionLog {
  readonly past: readonly SessionEvent[];
  readonly repairs: readonly string[];
  readonly #path: string;
  readonly #places: LogPlaces;
  readonly #file: AppendFile;
  readonly #clock: Clock;
  readonly #lock: SessionLock;
  #head: ChainHead;
  #wasGone = false;

  constructor(
    readonly id: string,
    path: string,
    readonly blobs: BlobStore,
    start: LogStart,
    clock: Clock,
    lock: SessionLock,
  ) {
    this.past = start.past;
    this.repairs = start.repairs;
    this.#head = start.head;
    this.#places = start.places;
    this.#path = path;
    const onGone = async () => {
      await lock.retake();
      this.#wasGone = true;
    };
    this.#file = new AppendFile(path, { onGone });
    this.#clock = clock;
    this.#lock = lock;
  }

  /** From now on it can be written anew where somebody removes it. */
  hold(): Promise<void> {
    return this.#file.hold();
  }

  get trouble(): string | undefined {
    const { problem } = this.#file;
    if (problem === undefined) return undefined;
    return problem instanceof Error ? problem.message : String(problem);
  }

  async append(drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]> {
    const links = [...this.#tellOfLoss(), ...drafts].map((draft) => this.#link(draft));
    // What is not in the file is held there, and `trouble` says why.
    await this.#file.append(links.map(({ line }) => `${line}\n`).join('')).catch(() => undefined);
    return links.map(({ event }) => event);
  }

  async sync(): Promise<void> {
    await this.#file.sync();
  }

  async close(): Promise<void> {
    try {
      if (this.#wasGone) await this.append([]);
      await this.#file.close();
      // Without it the next one who opens the log reads the whole.
      await updateIndex(this.#path).catch(() => undefined);
    } catch (error) {
      throw new Error(say('The session log could not be written: {0}', (error as Error).message), {
        cause: error,
      });
    } finally {
      await this.#lock.release();
    }
  }

  load(first: number, last: number): Promise<readonly SessionEvent[]> {
    return loadEvents(this.#path, this.#places, first, last);
  }

  #tellOfLoss(): readonly EventDraft[] {
    if (!this.#wasGone) return [];
    this.#wasGone = false;
    return [WRITTEN_ANEW];
  }

  #link(draft: EventDraft): Link {
    const next = link(this.#head, draft, this.id, this.#clock.now());
    this.#head = next.head;
    return next;
  }
}
