import { BusyError, type Session } from '../../core/session/session.ts';
import type { TypedPrompt } from '../../protocol/composer-messages.ts';
import type { EndReason } from '../../protocol/events.ts';
import type { QueuedPrompt, QueueMessage } from '../../protocol/queue-messages.ts';
import type { PromptQueue } from './prompt-queue.ts';

/** As much of a session as prompts go to. */
export interface PromptTarget {
  readonly id: string;
  readonly busy: boolean;
  readonly core: Pick<Session, 'steer'>;
  prompt(content: string, attachments: readonly string[], onLogged?: () => void): Promise<RunResult>;
}

export interface PromptsOptions {
  readonly session: PromptTarget;
  readonly queue: PromptQueue;
  /** Keeps what was typed. */
  remember(text: string): Promise<void>;
  /** What waits has changed. */
  changed(): void;
  warn(problem: string): void;
}

/** Whoever has spoken. */
export interface PromptOrigin {
  /** What was said is in the log, or waits in the queue's file. */
  landed(): void;
  /** Puts a prompt back into the input. */
  insert(prompt: TypedPrompt): void;
  /** Puts a prompt of the queue into the input; it leaves the queue when that is done. */
  edit(item: QueuedPrompt): void;
}

/** On its way into the run that is on. */
interface Steer {
  readonly withdrawal: AbortController;
  readonly delivered: Promise<boolean>;
}

/** What the user says in a session: sent at once, queued while a run is on, or said to that run. Nothing of it is ever lost. */
export class PromptSender {
  readonly #options: PromptsOptions;
  readonly #steers = new Map<string, Steer>();

  constructor(options: PromptsOptions) {
    this.#options = options;
  }

  /** What waits for its turn. */
  async queued(): Promise<readonly QueuedPrompt[]> {
    const { session, queue } = this.#options;
    await queue.show(session.id);
    return queue.items;
  }

  /** Resolves when the run has ended. Rejects with `BusyError` while another one is on. */
  async send(prompt: TypedPrompt): Promise<RunResult> {
    if (this.#options.session.busy) throw new BusyError();
    return this.#send(prompt);
  }

  /** Sends it, or queues it while a run is on. What cannot be sent goes back into the input, and the reason is shown. */
  async submit(prompt: TypedPrompt, speaker: PromptOrigin): Promise<RunResult | undefined> {
    if (this.#options.session.busy) return this.#enqueue(prompt, speaker);
    return this.#attempt((onLogged) => this.#send(prompt, onLogged), {
      landed: () => speaker.landed(),
      restore: () => speaker.insert(prompt),
    });
  }

  /** Says it to the run that is on; without one it is submitted. */
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

  /** Sends what is next. Resolves when that has ended, too. */
  async runEnded(reason: EndReason | undefined): Promise<void> {
    const { queue, changed } = this.#options;
    if (reason === 'done' || reason === 'max_turns') return this.#sendNext();
    queue.hold();
    changed();
  }

  /** Resolves when what waits is in its file. */
  flush(): Promise<void> {
    return this.#options.queue.flush();
  }

  async #send({ text, attachments }: TypedPrompt, onLogged?: () => void): Promise<RunResult> {
    const { session, remember } = this.#options;
    const [result] = await Promise.all([
      session.prompt(text, namesOf(attachments), onLogged),
      remember(text),
    ]);
    return result;
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
    // The run has ended before: now it waits like the others, unless that was decided already.
    else if (queue.find(id)?.state === 'steering') queue.mark(id, 'waiting');
    changed();
  }

  /** Takes it out of the queue, unless the run has heard it already. */
  async #withdraw(id: string): Promise<void> {
    const { queue, changed } = this.#options;
    if (!(await this.#stop(id))) return;
    queue.take(id);
    changed();
  }

  /** It is not said to the run any more; undefined where the run has heard it already. */
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
    const { session, queue, changed } = this.#options;
    queue.send(item);
    changed();
    await this.#attempt((onLogged) => session.prompt(item.text, namesOf(item.attachments), onLogged), {
      // The file may forget it.
      landed: () => queue.arrived(),
      restore: () => {
        queue.giveBack(item);
        changed();
      },
    });
  }

  /** `landed` is called when the prompt is in the log, `restore` where it did not come to that. */
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
