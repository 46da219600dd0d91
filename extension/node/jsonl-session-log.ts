import type { BlobStore } from '../core/ports/blob-store.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { SessionLog } from '../core/ports/event-store.ts';
import { type ChainHead, link } from '../core/session/chain.ts';
import type { EventDraft, SessionEvent } from '../protocol/events.ts';
import { say } from '../protocol/say.ts';
import { AppendFile } from './append-file.ts';

/** What an opened log begins with. */
export interface LogStart {
  readonly past: readonly SessionEvent[];
  readonly repairs: readonly string[];
  readonly head: ChainHead;
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
  readonly #file: AppendFile;
  readonly #clock: Clock;
  readonly #lock: SessionLock;
  #head: ChainHead;

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
    this.#file = new AppendFile(path, { onGone: () => lock.retake() });
    this.#clock = clock;
    this.#lock = lock;
  }

  /** From now on it can be written anew where somebody removes it. */
  hold(): Promise<void> {
    return this.#file.hold();
  }

  async append(drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]> {
    const events: SessionEvent[] = [];
    let head = this.#head;
    const lines = (wasGone: boolean) => {
      head = this.#head;
      return [...(wasGone ? [WRITTEN_ANEW] : []), ...drafts].map((draft) => {
        const next = link(head, draft, this.id, this.#clock.now());
        head = next.head;
        events.push(next.event);
        return `${next.line}\n`;
      });
    };
    try {
      await this.#file.append(
        (wasGone) => lines(wasGone).join(''),
        () => {
          this.#head = head;
        },
      );
    } catch (error) {
      throw new Error(say('The session log could not be written: {0}', (error as Error).message), {
        cause: error,
      });
    }
    return events;
  }

  async close(): Promise<void> {
    await this.#file.close();
    await this.#lock.release();
  }
}
