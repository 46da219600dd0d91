import { BusyError, type PromptOptions, type Session } from '../../core/session/session.ts';
import type { TypedPrompt } from '../../protocol/composer-messages.ts';
import type { EndReason } from '../../protocol/events.ts';
import type { QueuedPrompt, QueueMessage } from '../../protocol/queue-messages.ts';
import type { PromptQueue } from './prompt-queue.ts';

/** The parts of a session that `PromptSender` uses. */
export interface PromptTarget {
  readonly id: string;
  readonly busy: boolean;
  readonly core: Pick<Session, 'steer'>;
  prompt(content: string, attachments: readonly string[], options?: PromptOptions): Promise<RunResult>;
}

export interface PromptsOptions {
  readonly session: PromptTarget;
  readonly queue: PromptQueue;
  /** Adds the text to the prompt history. */
  remember(text: string): Promise<void>;
  /** Called when the queue changed. */
  changed(): void;
  warn(problem: string): void;
}

/** The source of a prompt, such as a panel's input. */
export interface PromptOrigin {
  /** Called when the prompt is in the log or in the queue's file. */
  landed(): void;
  /** Puts a prompt back into the input. */
  insert(prompt: TypedPrompt): void;
  /** Puts a queued prompt into the input. The prompt leaves the queue when that is done. */
  edit(item: QueuedPrompt): void;
}

/** A prompt on its way into the current run. */
interface Steer {
  readonly withdrawal: AbortController;
  readonly delivered: Promise<boolean>;
}

/**
 * Handles the user's prompts in a session: sends them, queues them during a run, or steers the run.
 * Never loses a prompt.
 */
export class PromptSender {
  readonly #options: PromptsOptions;
  readonly #steers = new Map<string, Steer>();

  constructor(options: PromptsOptions) {
    this.#options = options;
  }

  /** The prompts that wait for their turn. */
  async queued(): Promise<readonly QueuedPrompt[]> {
    const { session, queue } = this.#options;
    await queue.show(session.id);
    return queue.items;
  }

  /** Resolves when the run has ended. Rejects with `BusyError` during another run. */
  async send(prompt: TypedPrompt): Promise<RunResult> {
    if (this.#options.session.busy) throw new BusyError();
    return this.#send(prompt);
  }

  /** Sends a prompt, or queues it during a run. If that fails, puts it back into the input and says why. */
  async submit(prompt: TypedPrompt, speaker: PromptOrigin): Promise<RunResult | undefined> {
    if (this.#options.session.busy) return this.#enqueue(prompt, speaker);
    return this.#attempt((onLogged) => this.#send(prompt, onLogged), {
      landed: () => speaker.landed(),
      restore: () => speaker.insert(prompt),
    });
  }

  /** Steers the current run with a prompt. Without a run, submits it. */
  async steer(prompt: TypedPrompt, speaker: PromptOrigin): Promise<void> {
    if (!this.#options.session.busy) await this.submit(prompt, speaker);
    else await this.#sendQueued((await this.#add(prompt, speaker)).id);
  }

  async handle(message: QueueMessage, speaker: Pick<PromptOrigin, 'edit'>): Promise<void> {
    switch (message.type) {
      case 'queue/edit':
        return this.#edit(message.id, speaker);
      case 'queue/taken':
      case 'queue/remove':
        await this.#withdraw(message.id);
        return;
      case 'queue/send':
        return this.#sendQueued(message.id);
    }
  }

  /**
   * Sends the next prompt and resolves when its run has ended. Holds the queue instead if the run ended for a
   * reason other than `done` or `max_turns`.
   */
  async runEnded(reason: EndReason | undefined): Promise<void> {
    const { queue, changed } = this.#options;
    if (reason === 'done' || reason === 'max_turns') return this.#sendNext();
    queue.hold();
    changed();
  }

  /** Resolves when the queue is in its file. */
  flush(): Promise<void> {
    return this.#options.queue.flush();
  }

  async #send(prompt: TypedPrompt, onLogged?: () => void): Promise<RunResult> {
    const [result] = await Promise.all([this.#prompt(prompt, onLogged), this.#options.remember(prompt.text)]);
    return result;
  }

  #prompt(prompt: TypedPrompt, onLogged?: () => void): Promise<RunResult> {
    const { text, attachments, withoutOpenFile } = prompt;
    return this.#options.session.prompt(text, namesOf(attachments), {
      withoutOpenFile,
      ...(onLogged && { onLogged }),
    });
  }

  async #enqueue(prompt: TypedPrompt, speaker: PromptOrigin): Promise<undefined> {
    await this.#add(prompt, speaker);
    // The run may have ended meanwhile.
    await this.#sendNext();
  }

  async #add(prompt: TypedPrompt, speaker: PromptOrigin): Promise<QueuedPrompt> {
    const { queue, changed, remember } = this.#options;
    await this.queued();
    const item = queue.add(prompt);
    changed();
    await queue.flush();
    speaker.landed();
    await remember(prompt.text);
    return item;
  }

  async #edit(id: string, speaker: Pick<PromptOrigin, 'edit'>): Promise<void> {
    const { queue, changed } = this.#options;
    const item = await this.#stop(id);
    if (!item) return;
    queue.mark(id, 'held');
    changed();
    speaker.edit(item);
  }

  async #sendQueued(id: string): Promise<void> {
    const { session, queue } = this.#options;
    const item = queue.find(id);
    if (!item || this.#steers.has(id)) return;
    if (session.busy) await this.#steer(item);
    else await this.#sendNow(item);
  }

  async #steer({ id, text, attachments }: QueuedPrompt): Promise<void> {
    const { session, queue, changed, warn } = this.#options;
    const withdrawal = new AbortController();
    const delivered = session.core.steer(text, withdrawal.signal, namesOf(attachments));
    this.#steers.set(id, { withdrawal, delivered });
    queue.mark(id, 'steering');
    changed();
    const isDelivered = await delivered.catch((error: unknown) => {
      warn(error instanceof Error ? error.message : String(error));
      return false;
    });
    this.#steers.delete(id);
    if (isDelivered) queue.take(id);
    // The run ended first. The prompt waits like the others, unless another call already changed its state.
    else if (queue.find(id)?.state === 'steering') queue.mark(id, 'waiting');
    changed();
  }

  /** Removes a prompt from the queue, unless the run has already received it. */
  async #withdraw(id: string): Promise<void> {
    const { queue, changed } = this.#options;
    if (!(await this.#stop(id))) return;
    queue.take(id);
    changed();
  }

  /**
   * Stops steering with a prompt and returns it. Undefined if the run has already received it, or if it is
   * not in the queue.
   */
  async #stop(id: string): Promise<QueuedPrompt | undefined> {
    const item = this.#options.queue.find(id);
    const steer = this.#steers.get(id);
    steer?.withdrawal.abort();
    return item && (await steer?.delivered) ? undefined : item;
  }

  async #sendNext(): Promise<void> {
    const { session, queue } = this.#options;
    await this.queued();
    const next = queue.next();
    if (next && !session.busy) await this.#sendNow(next);
  }

  async #sendNow(item: QueuedPrompt): Promise<void> {
    const { queue, changed } = this.#options;
    queue.send(item);
    changed();
    await this.#attempt((onLogged) => this.#prompt(item, onLogged), {
      // The log has the prompt, so the file drops it.
      landed: () => queue.arrived(),
      restore: () => {
        queue.giveBack(item);
        changed();
      },
    });
  }

  /**
   * Calls `landed` when the prompt is in the log, or `restore` if sending failed before that. Reports a
   * failure as a warning.
   */
  async #attempt(
    send: (onLogged: () => void) => Promise<RunResult>,
    { landed, restore }: { landed(): void; restore(): void },
  ): Promise<RunResult | undefined> {
    let isLogged = false;
    try {
      return await send(() => {
        isLogged = true;
        landed();
      });
    } catch (error) {
      if (!isLogged) restore();
      this.#options.warn(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
}

function namesOf(attachments: TypedPrompt['attachments']): string[] {
  return (attachments ?? []).map(({ name }) => name);
}

export interface RunResult {
  readonly session: string;
  readonly reason: EndReason;
}
