import { randomUUID } from 'node:crypto';
import { Listeners } from '../../core/base/listeners.ts';
import { Mutex } from '../../core/base/mutex.ts';
import type { DraftFiles } from '../../core/ports/prompt-files.ts';
import type { TypedPrompt } from '../../protocol/composer-messages.ts';
import { type Draft, emptyDraft, joinTyped, type Typed } from '../../protocol/draft-messages.ts';

/** Called with the session whose draft changed, and with the author of the change. */
export type DraftListener = (session: string, author: unknown) => void;

/** A draft that is not in its file yet, or whose file also contains prompts that are being sent. */
interface Entry {
  readonly draft: Draft;
  /** Prompts that left the input and are not in the log yet, each by a random name. */
  readonly sending: ReadonlyMap<string, TypedPrompt>;
}

/**
 * The unsent text in the inputs of a window: a draft for each session, and one for the next session. For a
 * tab, another panel and the next window, the draft's file decides. It is in the session's folder, so it
 * moves with the session.
 */
export class Drafts {
  readonly #files: DraftFiles;
  readonly #warn: (problem: string) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Listeners<DraftListener>();
  /** Serializes reads and writes, so that a read never sees half a write. */
  readonly #turns = new Mutex();
  #hasWarned = false;

  constructor(files: DraftFiles, warn: (problem: string) => void) {
    this.#files = files;
    this.#warn = warn;
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: DraftListener): () => void {
    return this.#listeners.add(listener);
  }

  get(session: string): Promise<Draft> {
    return this.#turns.take(async () => this.#entries.get(session)?.draft ?? this.#read(session));
  }

  /** Resolves with whether the draft is in its file. */
  set(session: string, draft: Draft, author?: unknown): Promise<boolean> {
    return this.#change(session, { draft, sending: this.#sending(session) }, author);
  }

  /**
   * Records that a prompt left the input. The file keeps the prompt until the caller calls the result. The
   * caller must do so when the prompt is in the log or given back.
   */
  send(session: string, prompt: TypedPrompt, author: unknown): () => void {
    const name = randomUUID();
    const sending = new Map([...this.#sending(session), [name, prompt]]);
    void this.#change(session, { draft: emptyDraft, sending }, author);
    return () => this.#sent(session, name);
  }

  /** Puts an unsent prompt before the text of the draft. */
  async giveBack(session: string, prompt: TypedPrompt): Promise<void> {
    await this.#edit(session, (draft) => ({ ...draft, ...joinTyped(typedOf(prompt), draft) }));
  }

  /** Appends to the session's draft, or to the sent prompt that the user edits in it. */
  async add(session: string, added: Typed): Promise<void> {
    await this.#edit(session, ({ editing, ...draft }) =>
      editing ? { ...draft, editing: { ...editing, ...joinTyped(editing, added) } } : joinTyped(draft, added),
    );
  }

  /** Resolves when all writes are done. */
  async flush(): Promise<void> {
    await this.#turns.take(async () => {});
  }

  #sent(session: string, name: string): void {
    const entry = this.#entries.get(session);
    if (!entry?.sending.has(name)) return;
    const sending = new Map([...entry.sending].filter(([other]) => other !== name));
    this.#entries.set(session, { ...entry, sending });
    void this.#turns.take(() => this.#write(session));
  }

  async #edit(session: string, edit: (draft: Draft) => Draft): Promise<void> {
    await this.#turns.take(async () => {
      const draft = this.#entries.get(session)?.draft ?? (await this.#read(session));
      void this.set(session, edit(draft));
    });
    await this.flush();
  }

  #sending(session: string): Entry['sending'] {
    return this.#entries.get(session)?.sending ?? new Map();
  }

  #change(session: string, entry: Entry, author: unknown): Promise<boolean> {
    this.#entries.set(session, entry);
    this.#listeners.notify((listener) => listener(session, author));
    return this.#turns.take(() => this.#write(session));
  }

  /** Writes the newest state of the draft, so a queued write may include later changes. */
  async #write(session: string): Promise<boolean> {
    const entry = this.#entries.get(session);
    if (!entry) return true;
    try {
      await this.#files.write(session, keptOf(entry));
      this.#hasWarned = false;
    } catch (error) {
      return this.#fail(error);
    }
    if (this.#entries.get(session) === entry && entry.sending.size === 0) this.#entries.delete(session);
    return true;
  }

  #fail(error: unknown): boolean {
    if (!this.#hasWarned) this.#warn(`The draft is not kept over a reload: ${String(error)}`);
    this.#hasWarned = true;
    return false;
  }

  async #read(session: string): Promise<Draft> {
    try {
      return await this.#files.read(session);
    } catch (error) {
      this.#warn(`The draft is not shown: ${String(error)}`);
      return emptyDraft;
    }
  }
}

/** What the input must show if this window ends now. */
function keptOf({ draft, sending }: Entry): Draft {
  return { ...draft, ...[...[...sending.values()].map(typedOf), draft].reduce(joinTyped) };
}

/** The prompt without image thumbnails, which only a page draws. */
export function typedOf({ text, attachments = [] }: TypedPrompt): Typed {
  return { text, attachments: attachments.map((attachment) => ({ ...attachment, thumbnail: '' })) };
}
