import * as vscode from 'vscode';
import type { SessionController } from '../../app/sessions/session-controller.ts';
import type { ComposerQuestion } from '../../protocol/composer-messages.ts';
import type { Draft, Typed } from '../../protocol/draft-messages.ts';
import type { HostMessage, WebviewMessage } from '../../protocol/messages.ts';
import type { QueueMessage, SentMessage } from '../../protocol/queue-messages.ts';
import { isAtOnce } from '../base/command-ids.ts';
import { errorMessage } from '../base/localize.ts';
import type { Refusal } from '../composer/composer-host.ts';
import type { FilePlace } from '../workspace/open-file.ts';
import type { PageHealth } from './page-health.ts';
import { PanelChannel, type PanelHolder } from './panel-channel.ts';
import { type PageSessions, type PageSources, PanelContent } from './panel-content.ts';

/** What the panel can ask for besides the session itself. */
export interface PanelActions extends PageSources {
  /** Why a prompt should not be sent like this; undefined where it may. */
  refusalOf(prompt: SentMessage): Promise<Refusal | undefined>;
  /** A prompt has left the input: it is kept until the result is called. */
  hold(prompt: SentMessage): () => void;
  /** Calls `landed` as soon as the prompt is safe elsewhere. */
  submit(prompt: SentMessage, landed: () => void): Promise<unknown>;
  /** Puts what was typed and not sent back into the input. */
  giveBack(prompt: SentMessage): void;
  /** Completions and attachments. */
  composer(message: ComposerQuestion): Promise<void>;
  /** What waits in the queue. */
  queue(message: QueueMessage): Promise<void>;
  /** Resolves with whether it is kept. */
  keepDraft(session: string, draft: Draft): Promise<boolean>;
  addToDraft(session: string, typed: Typed): Promise<void>;
  answer(message: Extract<WebviewMessage, { type: 'permission/answer' }>): void;
  openDiff(id: string): Promise<void>;
  openResult(id: string): Promise<void>;
  openFile(place: FilePlace): Promise<void>;
  copyPart(section: number, part: string): Promise<void>;
  selectMode(message: Extract<WebviewMessage, { type: 'mode/select' }>): Promise<void>;
  run(message: Extract<WebviewMessage, { type: 'command' }>): Promise<void>;
  /** As soon as there is a page to hear it. */
  tell(message: HostMessage): void;
  /** The page stands, and has its content as soon as that resolves. */
  ready(begun: Promise<void>): Promise<void>;
}

/** What is not done for the session that is shown as a whole. */
type DispatchedMessage =
  | SentMessage
  | Extract<WebviewMessage, { type: 'ready' | 'section/get' | 'draft/save' | 'draft/add' }>;

/** What is done to a session as it is now. */
const nowOnly = new Set<WebviewMessage['type']>([
  'queue/edit',
  'queue/taken',
  'queue/remove',
  'queue/send',
  'run/cancel',
  'run/continue',
  'retry/now',
  'permission/answer',
]);

type PanelSessions = PageSessions & Pick<SessionController, 'cancel' | 'continue' | 'retryNow'>;

type Watch = Pick<PageHealth, 'check' | 'heard'>;

/** One page of the panel: shows what the session manager holds and passes on what the user does. It decides nothing. */
export class PanelMessages implements vscode.Disposable {
  readonly #channel: PanelChannel;
  readonly content: PanelContent;
  readonly #watch: Watch;
  readonly #sessions: PanelSessions;
  readonly #actions: PanelActions;

  /** `watch` is told what is sent to the page and that it was heard. */
  constructor(
    view: PanelHolder,
    early: readonly unknown[],
    sessions: PanelSessions,
    actions: PanelActions,
    watch: Watch,
  ) {
    this.#sessions = sessions;
    this.#actions = actions;
    this.#watch = watch;
    const channel = new PanelChannel(
      view,
      () => sessions.shown.log,
      (message) => this.#hear(message),
      actions.warn,
    );
    this.#channel = channel;
    const { t: translate } = vscode.l10n;
    this.content = new PanelContent({ view, channel, sessions, sources: actions, watch, translate });
    for (const message of early) channel.receive(message);
  }

  dispose(): void {
    this.#channel.dispose();
    this.content.dispose();
  }

  #hear(message: WebviewMessage): void {
    this.#watch.heard();
    if (message.type !== 'pong') void this.#handle(message);
  }

  async #handle(message: WebviewMessage): Promise<void> {
    const landed = 'text' in message ? this.#actions.hold(message) : () => {};
    try {
      if (this.#isMeantForShown(message)) await this.#dispatch(message, landed);
    } catch (error) {
      void vscode.window.showErrorMessage(errorMessage(error));
    } finally {
      landed();
    }
  }

  async #dispatch(message: WebviewMessage, landed: () => void): Promise<unknown> {
    switch (message.type) {
      case 'ready':
        return this.#actions.ready(
          this.content.begin(message.session === this.#sessions.shown.id ? message.lastSeq : 0),
        );
      case 'section/get':
        return this.content.section(message);
      case 'draft/save':
        return this.#keepDraft(message);
      case 'draft/add':
        return this.#actions.addToDraft(message.session, message.typed);
      case 'prompt/submit':
      case 'prompt/steer':
      case 'prompt/fork':
        await this.#sessions.whole();
        return (await this.#mayPass(message)) && this.#actions.submit(message, landed);
      default:
        if (message.type !== 'command' || !isAtOnce(message.command)) await this.#sessions.whole();
        return this.#isMeantForShown(message) && this.#act(message);
    }
  }

  async #keepDraft({ session, request, draft }: Extract<WebviewMessage, { type: 'draft/save' }>) {
    if (await this.#actions.keepDraft(session, draft))
      this.#channel.send({ type: 'draft/kept', session, request });
  }

  async #act(message: Exclude<WebviewMessage, DispatchedMessage>): Promise<unknown> {
    if (this.#actions.travel.past && nowOnly.has(message.type)) return undefined;
    switch (message.type) {
      case 'queue/edit':
      case 'queue/taken':
      case 'queue/remove':
      case 'queue/send':
        return this.#actions.queue(message);
      case 'run/cancel':
        return this.#sessions.cancel();
      case 'run/continue':
        return this.#sessions.continue();
      case 'retry/now':
        return this.#sessions.retryNow();
      case 'permission/answer':
        return this.#actions.answer(message);
      case 'diff/open':
        return this.#actions.openDiff(message.id);
      case 'result/open':
        return this.#actions.openResult(message.id);
      case 'link/open':
        return vscode.env.openExternal(vscode.Uri.parse(message.href, true));
      case 'file/open':
        return this.#actions.openFile(message);
      case 'cost/get':
        return this.content.cost(message.session);
      case 'past/go':
        return this.#actions.travel.goTo(message.seq);
      case 'completion/get':
      case 'attachment/add':
      case 'attachment/pick':
      case 'attachment/open':
      case 'mention/drop':
        return this.#actions.composer(message);
      case 'mode/select':
        return this.#actions.selectMode(message);
      case 'command':
        return this.#actions.run(message);
      case 'find/start':
        return this.content.find.start(message);
      case 'find/stop':
        return this.content.find.stop();
      case 'prompt/seek':
        return this.content.seekPrompt(message);
      case 'part/copy':
        return this.#actions.copyPart(message.section, message.part);
      case 'pong':
        return undefined;
      case 'log':
        return this.#actions.warn(`panel: ${message.message}`);
    }
  }

  /** What may not be meant as it was written goes back into the input, with the reason. */
  async #mayPass(prompt: SentMessage): Promise<boolean> {
    if (!this.#isMeantForShown(prompt)) return false;
    const refusal = await this.#actions.refusalOf(prompt).catch((error: unknown) => {
      this.#actions.giveBack(prompt);
      throw error;
    });
    const { text, attachments = [] } = prompt;
    if (refusal) this.#actions.tell({ type: 'prompt/refused', text, attachments, ...refusal });
    return !refusal && this.#isMeantForShown(prompt);
  }

  /** Whether the session is still shown that `message` was written for; else what somebody has typed goes back into the input. */
  #isMeantForShown(message: WebviewMessage): boolean {
    const isMeant =
      !('session' in message) || isForAny(message) || message.session === this.#sessions.shown.id;
    if (!isMeant && 'text' in message) this.#actions.giveBack(message);
    return isMeant;
  }
}

/** What is taken in whatever is shown. */
function isForAny({ type }: WebviewMessage): boolean {
  return ['ready', 'draft/save', 'draft/add', 'attachment/add', 'attachment/pick'].includes(type);
}
