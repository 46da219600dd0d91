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
  /** Whether a page is loaded and visible. */
  isReady(): boolean;
  post(message: HostMessage): void;
}

/** Takes what the user types in one panel into a session, or back into the input. */
export class PanelInput {
  readonly #options: PanelInputOptions;
  /** Settles when all edited prompts have reached their forks. Undefined if none is on its way. */
  #forking: Promise<unknown> | undefined;

  constructor(options: PanelInputOptions) {
    this.#options = options;
  }

  /**
   * Sends a prompt, or queues it during a run. If it cannot be sent, puts it into the input and shows the
   * reason. Calls `landed` when the prompt is in the log or in the queue.
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

  /** Resolves with the reason not to send a prompt as it is. Undefined if there is none. */
  refusalOf(prompt: SentMessage): Promise<Refusal | undefined> {
    return whyRefused(prompt, () => this.#eventsBefore(prompt), this.#options);
  }

  /** Answers requests for completions and attachments. Rejects with a sentence for the user. */
  async answer(message: ComposerQuestion): Promise<void> {
    const { composer, models, post } = this.#options;
    await handleComposerMessage(message, {
      ...composer,
      takesImages: async () => (await models.describe()).images,
      answer: post,
      insert: (text) => post({ type: 'input/insert', text }),
    });
  }

  /** Handles what the user does to a queued prompt. */
  async handleQueue(message: QueueMessage): Promise<void> {
    const { sessions, drafts } = this.#options;
    await sessions.use(async ({ id, prompts }) => {
      // If the process dies after the flush, the prompt is in the input and in the queue, but never lost.
      if (message.type === 'queue/taken') await drafts.flush();
      await prompts.handle(message, this.#speaker(id));
    });
  }

  /** A prompt has left the input. Its draft's file keeps it until the caller calls the result. */
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

  /** Writes a draft after all edited prompts reached their forks. Resolves with whether the file has it. */
  async keepDraft(session: string, draft: Draft): Promise<boolean> {
    if (this.#forking) await this.#forking;
    return this.#write(session, draft);
  }

  /** Does not write into the folder of a session that another window writes. */
  async #write(session: string, draft: Draft): Promise<boolean> {
    const { sessions, drafts } = this.#options;
    if (sessions.shown.readOnly && session === sessions.shown.id) return false;
    return drafts.set(session, draft, this);
  }

  /** Puts a prompt back where the user sees it: into the input of the session shown now. */
  giveBack(prompt: SentMessage): void {
    const { sessions, isReady } = this.#options;
    this.#giveBackTo(isReady() ? sessions.shown.id : prompt.session, prompt);
  }

  /** The events that the model gets before the prompt. */
  #eventsBefore(prompt: SentMessage): readonly SessionEvent[] {
    const { events } = this.#options.sessions.shown.log;
    return prompt.type === 'prompt/fork' ? events.filter(({ seq }) => seq < prompt.before) : events;
  }

  /**
   * Keeps the prompt as the edited prompt of the draft until the fork has it. Drafts from the page wait until
   * then.
   */
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
      edit: ({ id, text, attachments = [], withoutOpenFile }) =>
        this.#options.post({
          type: 'queue/edited',
          session,
          id,
          text,
          attachments: [...attachments],
          withoutOpenFile,
        }),
    };
  }

  /** Puts a prompt into the input, or into the session's draft if the panel does not show that session. */
  #giveBackTo(session: string, { text, attachments = [], withoutOpenFile }: TypedPrompt): void {
    const { sessions, drafts, isReady, post } = this.#options;
    if (isReady() && session === sessions.shown.id)
      post({ type: 'input/insert', text, attachments: [...attachments], withoutOpenFile });
    else void drafts.giveBack(session, { text, attachments });
  }

  /** Runs `work`. If it rejects, puts the prompt back into the input, so that no typed text is lost. */
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
