import type { Clock } from '../core/ports/clock.ts';
import type { SessionLog } from '../core/ports/event-store.ts';
import { type ChainHead, link } from '../core/session/chain.ts';
import type { EventDraft, SessionEvent } from '../protocol/events.ts';
import { AppendFile } from './append-file.ts';

/** What an opened log begins with. */
export interface LogStart {
  readonly past: readonly SessionEvent[];
  readonly repairs: readonly string[];
  readonly head: ChainHead;
}

/** One session's `events.jsonl`, held by this process alone until it is closed. */
export class JsonlSessionLog implements SessionLog {
  readonly past: readonly SessionEvent[];
  readonly repairs: readonly string[];
  readonly #file: AppendFile;
  readonly #clock: Clock;
  readonly #unlock: () => Promise<void>;
  #head: ChainHead;

  constructor(
    readonly id: string,
    path: string,
    start: LogStart,
    clock: Clock,
    unlock: () => Promise<void>,
  ) {
    this.past = start.past;
    this.repairs = start.repairs;
    this.#head = start.head;
    this.#file = new AppendFile(path);
    this.#clock = clock;
    this.#unlock = unlock;
  }

  async append(drafts: readonly EventDraft[]): Promise<readonly SessionEvent[]> {
    const events: SessionEvent[] = [];
    let head = this.#head;
    const lines = () => {
      head = this.#head;
      return drafts.map((draft) => {
        const next = link(head, draft, this.id, this.#clock.now());
        head = next.head;
        events.push(next.event);
        return `${next.line}\n`;
      });
    };
    try {
      await this.#file.append(
        () => lines().join(''),
        () => {
          this.#head = head;
        },
      );
    } catch (error) {
      throw new Error(`The session log could not be written: ${(error as Error).message}`, { cause: error });
    }
    return events;
  }

  async close(): Promise<void> {
    await this.#file.close();
    await this.#unlock();
  }
}
