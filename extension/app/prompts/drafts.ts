import { randomUUID } from 'node:crypto';
import { Listeners } from '../../core/base/listeners.ts';
import { Mutex } from '../../core/base/mutex.ts';
import type { DraftFiles } from '../../core/ports/prompt-files.ts';
import type { TypedPrompt } from '../../protocol/composer-messages.ts';
import { type Draft, emptyDraft, joinTyped, type Typed } from '../../protocol/draft-messages.ts';

/** Called with the session whose draft has changed, and with whoever has changed it. */
export type DraftListener = (session: string, author: unknown) => void;

/** What the file does not hold yet, or not only. */
interface Entry {
  readonly draft: Draft;
  /** Prompts that have left the input and are not in the log yet, by a name for each. */
  readonly sending: ReadonlyMap<string, TypedPrompt>;
}

/**
 * What stands in the inputs of a window and was not sent: a draft for each session, and one for the next session. Its file
 * is what counts for a tab, another panel and the next window; it lies in the session's folder and goes where that goes.
 */
export class Drafts {
  readonly #files: DraftFiles;
  readonly #warn: (problem: string) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Listeners<DraftListener>();
  /** What is read was written whole. */
  readonly #turns = new Mutex();
  #hasWarned = false;

  constructor(files: DraftFiles, warn: (problem: string) => void) {
    this.#files = files;
    this.#warn = warn;
  }

  /** Returns the undo. */
  subscribe(listener: DraftListener): () => void {
    return this.#listeners.add(listener);
  }

  get(session: string): Promise<Draft> {
    return this.#turns.take(async () => this.#entries.get(session)?.draft ?? this.#read(session));
  }

  /** Resolves with whether the file holds it. */
  set(session: string, draft: Draft, author?: unknown): Promise<boolean> {
    return this.#change(session, { draft, sending: this.#sending(session) }, author);
  }

  /** A prompt has left the input. Its file keeps it until the result is called: until it is in the log, or given back. */
  send(session: string, prompt: TypedPrompt, author: unknown): () => void {
    const name = randomUUID();
    const sending = new Map([...this.#sending(session), [name, prompt]]);
    void this.#change(session, { draft: emptyDraft, sending }, author);
    return () => this.#sent(session, name);
  }

  /** Puts a prompt that was not sent before what stands there. */
  async giveBack(session: string, prompt: TypedPrompt): Promise<void> {
    await this.#edit(session, (draft) => ({ ...draft, ...joinTyped(typedOf(prompt), draft) }));
  }

  /** Puts something behind what the input of this session holds. */
  async add(session: string, added: Typed): Promise<void> {
    await this.#edit(session, ({ editing, ...draft }) =>
      editing ? { ...draft, editing: { ...editing, ...joinTyped(editing, added) } } : joinTyped(draft, added),
    );
  }

  /** Resolves when everything is in its file. */
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
    this.#listeners.tell((listener) => listener(session, author));
    return this.#turns.take(() => this.#write(session));
  }

  /** Of several changes the newest is written. */
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

/** What is to be in the input if this window ends now. */
function keptOf({ draft, sending }: Entry): Draft {
  return { ...draft, ...[...[...sending.values()].map(typedOf), draft].reduce(joinTyped) };
}

/** Without the small pictures of its images, which only a page draws. */
export function typedOf({ text, attachments = [] }: TypedPrompt): Typed {
  return { text, attachments: attachments.map((attachment) => ({ ...attachment, thumbnail: '' })) };
}
