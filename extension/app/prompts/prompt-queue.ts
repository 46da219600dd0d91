import { randomUUID } from 'node:crypto';
import type { QueueFiles } from '../../core/ports/prompt-files.ts';
import type { TypedPrompt } from '../../protocol/composer-messages.ts';
import type { QueuedPrompt } from '../../protocol/queue-messages.ts';

/**
 * The prompts that wait in the session that is shown. They are kept in a file of the session's own folder: there they
 * outlive the page, which may be hidden or dead when the next one is due, they belong to whoever holds the session's lock,
 * and they go where the session goes.
 */
export class PromptQueue {
  readonly #files: QueueFiles;
  readonly #warn: (problem: string) => void;
  #session = '';
  #loaded: Promise<void> = Promise.resolve();
  #written: Promise<void> = Promise.resolve();
  #items: readonly QueuedPrompt[] = [];
  /** Being sent: no longer shown, and not in the log yet. */
  #leaving: readonly QueuedPrompt[] = [];
  /** What the file holds, or soon will; undefined before it was read. */
  #kept: string | undefined;

  constructor(files: QueueFiles, warn: (problem: string) => void) {
    this.#files = files;
    this.#warn = warn;
  }

  /** In the order in which they will be sent. */
  get items(): readonly QueuedPrompt[] {
    return this.#items;
  }

  /** Turns to the queue of this session (none where it is empty), whose prompts are then held: nothing is sent unasked. */
  show(session: string): Promise<void> {
    if (session === this.#session) return this.#loaded;
    this.#session = session;
    this.#items = [];
    this.#leaving = [];
    this.#kept = undefined;
    this.#loaded = this.#load(session);
    return this.#loaded;
  }

  find(id: string): QueuedPrompt | undefined {
    return this.#items.find((item) => item.id === id);
  }

  /** The one whose turn it is; what was to be said to the run goes before the rest. */
  next(): QueuedPrompt | undefined {
    return (
      this.#items.find(({ state }) => state === 'steering') ??
      this.#items.find(({ state }) => state === 'waiting')
    );
  }

  add(prompt: TypedPrompt): QueuedPrompt {
    const item = itemOf(prompt, 'waiting');
    this.#items = [...this.#items, item];
    this.#save();
    return item;
  }

  mark(id: string, state: QueuedPrompt['state']): void {
    this.#items = this.#items.map((item) => (item.id === id ? { ...item, state } : item));
  }

  /** Nothing is sent any more unless the user asks for it. */
  hold(): void {
    this.#items = this.#items.map((item) => ({ ...item, state: 'held' }));
  }

  take(id: string): void {
    this.#items = this.#items.filter((item) => item.id !== id);
    this.#save();
  }

  /** It is being sent. The file keeps it until it has `arrived`, or comes back. */
  send(item: QueuedPrompt): void {
    this.#leaving = [...this.#leaving, item];
    this.take(item.id);
  }

  /** What was being sent is in the log. */
  arrived(): void {
    this.#leaving = [];
    this.#save();
  }

  /** What could not be sent comes first again, and waits for the user. */
  giveBack({ id }: QueuedPrompt): void {
    const back = this.#leaving.filter((item) => item.id === id);
    this.#leaving = this.#leaving.filter((item) => item.id !== id);
    this.#items = [...back.map((item) => ({ ...item, state: 'held' as const })), ...this.#items];
    this.#save();
  }

  /** Resolves when everything is in the file. */
  flush(): Promise<void> {
    return this.#written;
  }

  #save(): void {
    const session = this.#session;
    const prompts = [...this.#leaving, ...this.#items].map(({ text, attachments }) => ({
      text,
      attachments,
    }));
    const kept = JSON.stringify(prompts);
    if (this.#kept === undefined || kept === this.#kept) return;
    this.#kept = kept;
    this.#written = this.#written
      .then(() => this.#files.write(session, prompts))
      .catch((error: unknown) =>
        this.#warn(`The waiting prompts are not kept over a reload: ${String(error)}`),
      );
  }

  async #load(session: string): Promise<void> {
    await this.#written;
    if (session === '') return;
    const prompts = await this.#read(session);
    if (session !== this.#session || !prompts) return;
    this.#kept = JSON.stringify(prompts);
    this.#items = prompts.map((prompt) => itemOf(prompt, 'held'));
  }

  /** Undefined for a file that cannot be read, and must not be written over. */
  #read(session: string): Promise<readonly TypedPrompt[] | undefined> {
    return this.#files.read(session).catch((error: unknown) => {
      this.#warn(`The prompts that were waiting are not shown: ${String(error)}`);
      // A damaged one was set aside.
      return this.#files.read(session).catch(() => undefined);
    });
  }
}

function itemOf({ text, attachments }: TypedPrompt, state: QueuedPrompt['state']): QueuedPrompt {
  return { id: randomUUID(), text, ...(attachments && { attachments: [...attachments] }), state };
}
