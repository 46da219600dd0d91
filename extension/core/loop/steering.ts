import type { EventDraft } from '../../protocol/events.ts';
import type { LogWriter } from '../log/log-writer.ts';

interface Message {
  /** Called on delivery. */
  draft(): Promise<EventDraft>;
  settle(delivered: boolean): void;
}

/** Queues the user's messages to a running run until the run has a place for them. */
export class Steering {
  readonly #waiting = new Set<Message>();

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Resolves with true when the message is in the log. Resolves with false if the run ended first or the
   * caller withdrew it.
   */
  add(draft: () => Promise<EventDraft>, withdrawn: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const message: Message = { draft, settle: resolve };
      if (withdrawn.aborted) return resolve(false);
      this.#waiting.add(message);
      withdrawn.addEventListener('abort', () => this.#waiting.delete(message) && resolve(false), {
        once: true,
      });
    });
  }

  /** Logs the waiting messages. Resolves with true if there were any. Must be called when no call is open. */
  async deliver(writer: Pick<LogWriter, 'append'>): Promise<boolean> {
    const messages = this.#take();
    if (messages.length === 0) return false;
    try {
      await writer.append(...(await Promise.all(messages.map((message) => message.draft()))));
    } catch (error) {
      for (const message of messages) message.settle(false);
      throw error;
    }
    for (const message of messages) message.settle(true);
    return true;
  }

  /** Drops the waiting messages, because the run is over. */
  close(): void {
    for (const message of this.#take()) message.settle(false);
  }

  #take(): Message[] {
    const messages = [...this.#waiting];
    this.#waiting.clear();
    return messages;
  }
}
