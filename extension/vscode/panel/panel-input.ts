import * as vscode from 'vscode';
import { type Drafts, typedOf } from '../../app/prompts/drafts.ts';
import type { PromptOrigin, RunResult } from '../../app/prompts/prompt-sender.ts';
import type { OpenSession } from '../../app/sessions/open-session.ts';
import type { SessionController } from '../../app/sessions/session-controller.ts';
import type { ComposerQuestion, TypedPrompt } from '../../protocol/composer-messages.ts';
import type { Draft, Typed } from '../../protocol/draft-messages.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import type { HostMessage } from '../../protocol/messages.ts';
import type { QueueMessage, SentMessage } from '../../protocol/queue-messages.ts';
import { errorMessage } from '../base/localize.ts';
import {
  type ComposerParts,
  handleComposerMessage,
  type Refusal,
  whyRefused,
} from '../composer/composer-host.ts';
import type { Models } from '../models/models.ts';

export interface PanelInputOptions {
  readonly sessions: SessionController;
  readonly drafts: Drafts;
  readonly models: Pick<Models, 'describe'>;
  readonly composer: ComposerParts;
  /** A page stands and is seen. */
  isReady(): boolean;
  tell(message: HostMessage): void;
}

/** What is typed in one panel: on its way into a session, or back into the input. */
export class PanelInput {
  readonly #options: PanelInputOptions;
  /** Edited prompts that are on their way into forks; undefined where none is. */
  #forking: Promise<unknown> | undefined;

  constructor(options: PanelInputOptions) {
    this.#options = options;
  }

  /**
   * Sends a prompt, or queues it while a run is on. What cannot be sent is put into the input, and the reason shown.
   * `landed` is called as soon as it is in the log or in the queue.
   */
  submit(prompt: TypedPrompt, landed = () => {}): Promise<RunResult | undefined> {
    const { sessions } = this.#options;
    return this.#orGiveBack(prompt, () => sessions.use((session) => this.#submitTo(session, prompt, landed)));
  }

  async send(message: SentMessage, landed: () => void): Promise<unknown> {
    const { sessions } = this.#options;
    switch (message.type) {
      case 'prompt/submit':
        return this.submit(message, landed);
      case 'prompt/steer':
        return this.#orGiveBack(message, () =>
          sessions.use(({ id, prompts }) => prompts.steer(message, this.#speaker(id, landed))),
        );
      case 'prompt/fork':
        return this.#orGiveBack(message, () =>
          sessions.fork(message.before, (session) => this.#submitTo(session, message, landed)),
        );
    }
  }

  /** Why a prompt should not be sent like this; undefined where it may. */
  refusalOf(prompt: SentMessage): Promise<Refusal | undefined> {
    return whyRefused(prompt, () => this.#eventsBefore(prompt), this.#options);
  }

  /** Completions and attachments. Rejects with a sentence for the user. */
  async answer(message: ComposerQuestion): Promise<void> {
    const { composer, models, tell } = this.#options;
    await handleComposerMessage(message, {
      ...composer,
      takesImages: async () => (await models.describe()).images,
      answer: tell,
      insert: (text) => tell({ type: 'input/insert', text }),
    });
  }

  /** What the user does to a prompt that waits. */
  async handleQueue(message: QueueMessage): Promise<void> {
    const { sessions, drafts } = this.#options;
    await sessions.use(async ({ id, prompts }) => {
      // A kill from here on shows it twice, in the input and in the queue, but never loses it.
      if (message.type === 'queue/taken') await drafts.flush();
      await prompts.handle(message, this.#speaker(id));
    });
  }

  /** A prompt has left the input: the draft's file keeps it until the result is called. */
  hold(prompt: SentMessage): () => void {
    if (prompt.type === 'prompt/fork') return this.#holdFork(prompt);
    return this.#options.drafts.send(prompt.session, prompt, this);
  }

  draft(session: string): Promise<Draft> {
    return this.#options.drafts.get(session);
  }

  addToDraft(session: string, typed: Typed): Promise<void> {
    return this.#options.drafts.add(session, typed);
  }

  /** Resolves with whether it is kept. */
  async keepDraft(session: string, draft: Draft): Promise<boolean> {
    if (this.#forking) await this.#forking;
    return this.#write(session, draft);
  }

  /** The folder of a session that another window writes is that window's. */
  async #write(session: string, draft: Draft): Promise<boolean> {
    const { sessions, drafts } = this.#options;
    if (sessions.shown.readOnly && session === sessions.shown.id) return false;
    return drafts.set(session, draft, this);
  }

  /** Puts it back where it is seen: whoever has typed it looks at what is shown now. */
  giveBack(prompt: SentMessage): void {
    const { sessions, isReady } = this.#options;
    this.#giveBackTo(isReady() ? sessions.shown.id : prompt.session, prompt);
  }

  /** What the model has heard when it hears the prompt. */
  #eventsBefore(prompt: SentMessage): readonly SessionEvent[] {
    const { events } = this.#options.sessions.shown.log;
    return prompt.type === 'prompt/fork' ? events.filter(({ seq }) => seq < prompt.before) : events;
  }

  /** It stays the prompt that is edited until then, whatever its page says of the draft. */
  #holdFork({ session, before, ...prompt }: Extract<SentMessage, { type: 'prompt/fork' }>): () => void {
    const editing = { before, ...typedOf(prompt) };
    const kept = this.#options.drafts
      .get(session)
      .then((draft) => this.#write(session, { ...draft, editing }));
    let land = () => {};
    const landed = new Promise<void>((resolve) => {
      land = resolve;
    });
    const forking = Promise.all([this.#forking, kept, landed]).then(() => {
      if (this.#forking === forking) this.#forking = undefined;
    });
    this.#forking = forking;
    return land;
  }

  #submitTo({ id, prompts }: OpenSession, prompt: TypedPrompt, landed: () => void) {
    return prompts.submit(prompt, this.#speaker(id, landed));
  }

  #speaker(session: string, landed = () => {}): PromptOrigin {
    return {
      landed,
      insert: (prompt) => this.#giveBackTo(session, prompt),
      edit: ({ id, text, attachments = [] }) =>
        this.#options.tell({ type: 'queue/edited', session, id, text, attachments: [...attachments] }),
    };
  }

  /** Where the session is not seen, its draft takes it. */
  #giveBackTo(session: string, { text, attachments = [] }: TypedPrompt): void {
    const { sessions, drafts, isReady, tell } = this.#options;
    if (isReady() && session === sessions.shown.id)
      tell({ type: 'input/insert', text, attachments: [...attachments] });
    else void drafts.giveBack(session, { text, attachments });
  }

  /** What was typed is never lost: where it does not come to `work`, it goes back into the input. */
  async #orGiveBack<Result>(prompt: TypedPrompt, work: () => Promise<Result>): Promise<Result | undefined> {
    const { id } = this.#options.sessions.shown;
    try {
      return await work();
    } catch (error) {
      this.#giveBackTo(id, prompt);
      void vscode.window.showWarningMessage(errorMessage(error));
      return undefined;
    }
  }
}
