import { randomUUID } from 'node:crypto';
import type { QueueFiles } from '../../core/ports/prompt-files.ts';
import type { TypedPrompt } from '../../protocol/composer-messages.ts';
import type { QueuedPrompt } from '../../protocol/queue-messages.ts';

/**
 * The prompts that wait in the shown session. Their file is in the session's folder, for three reasons. They
 * survive the page, which may be hidden or dead when the next one is due. They belong to the process that has
 * the session's lock. They move with the session.
 */
export class PromptQueue {
  readonly #files: QueueFiles;
  readonly #warn: (problem: string) => void;
  #session = '';
  #loaded: Promise<void> = Promise.resolve();
  #written: Promise<void> = Promise.resolve();
  #items: readonly QueuedPrompt[] = [];
  /** Prompts that are being sent: no longer shown, and not in the log yet. */
  #leaving: readonly QueuedPrompt[] = [];
  /** The file's content after all pending writes. Undefined before the file was read. */
  #kept: string | undefined;

  constructor(files: QueueFiles, warn: (problem: string) => void) {
    this.#files = files;
    this.#warn = warn;
  }

  /** In the order in which they will be sent. */
  get items(): readonly QueuedPrompt[] {
    return this.#items;
  }

  /** Loads the queue of this session ('' has none) and holds its prompts: nothing is sent unasked. */
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

  /** The prompt to send next: a steering prompt before a waiting one. */
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

  /** Holds all prompts: Harness sends one only when the user asks for it. */
  hold(): void {
    this.#items = this.#items.map((item) => ({ ...item, state: 'held' }));
  }

  take(id: string): void {
    this.#items = this.#items.filter((item) => item.id !== id);
    this.#save();
  }

  /** Takes a prompt out of the shown queue to send it. The file keeps it until `arrived` or `giveBack`. */
  send(item: QueuedPrompt): void {
    this.#leaving = [...this.#leaving, item];
    this.take(item.id);
  }

  /** The prompts that were being sent are in the log, so the file drops them. */
  arrived(): void {
    this.#leaving = [];
    this.#save();
  }

  /** Puts a prompt that could not be sent first in the queue, and holds it. */
  giveBack({ id }: QueuedPrompt): void {
    const back = this.#leaving.filter((item) => item.id === id);
    this.#leaving = this.#leaving.filter((item) => item.id !== id);
    this.#items = [...back.map((item) => ({ ...item, state: 'held' as const })), ...this.#items];
    this.#save();
  }

  /** Resolves when all writes are done. */
  flush(): Promise<void> {
    return this.#written;
  }

  #save(): void {
    const session = this.#session;
    const prompts = [...this.#leaving, ...this.#items].map(({ id: _, state: _state, ...prompt }) => prompt);
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

  /** Undefined if the file cannot be read. Harness must not overwrite such a file. */
  #read(session: string): Promise<readonly TypedPrompt[] | undefined> {
    return this.#files.read(session).catch((error: unknown) => {
      this.#warn(`The prompts that were waiting are not shown: ${String(error)}`);
      // The first read moves a damaged file aside, so the second read succeeds.
      return this.#files.read(session).catch(() => undefined);
    });
  }
}

function itemOf(prompt: TypedPrompt, state: QueuedPrompt['state']): QueuedPrompt {
  const { text, attachments, withoutOpenFile } = prompt;
  return {
    id: randomUUID(),
    text,
    ...(attachments && { attachments: [...attachments] }),
    ...(withoutOpenFile && { withoutOpenFile }),
    state,
  };
}
