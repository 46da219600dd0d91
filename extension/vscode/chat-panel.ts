import * as vscode from 'vscode';
import { ledgerOf } from '../core/view/ledger-fold.ts';
import { seekPrompt } from '../core/view/seek-prompt.ts';
import type { ComposerQuestion } from '../protocol/composer-messages.ts';
import type { Draft, Typed } from '../protocol/draft-messages.ts';
import type { HostMessage, PanelState, WebviewMessage } from '../protocol/messages.ts';
import type { QueueMessage, SentMessage } from '../protocol/queue-messages.ts';
import type { Refusal } from './composer-host.ts';
import { ConversationFind } from './conversation-find.ts';
import { reasonOf } from './heard.ts';
import type { FilePlace } from './open-file.ts';
import type { PageWatch } from './page-watch.ts';
import { PanelChannel, type PanelHolder } from './panel-channel.ts';
import { PastPage } from './past-page.ts';
import type { SessionManager } from './session-manager.ts';
import type { ShownSession } from './shown-session.ts';
import { snapshotOf, snapshotOfEnd } from './snapshot.ts';
import type { TimeTravel } from './time-travel.ts';

/** What the panel can ask for besides the session itself. */
export interface PanelActions {
  readonly travel: TimeTravel;
  /** Whole each time. */
  state(): Promise<PanelState>;
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
  /** What stands in the input of a session. */
  draft(session: string): Promise<Draft>;
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
  warn(message: string): void;
  /** As soon as there is a page to hear it. */
  tell(message: HostMessage): void;
  /** The page stands and has its content. */
  ready(): void;
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

interface PanelSessions extends Pick<SessionManager, 'whole' | 'cancel' | 'continue' | 'retryNow'> {
  readonly shown: Pick<ShownSession, 'id' | 'end' | 'log' | 'live' | 'subscribe' | 'onDidChange'>;
}

type Watch = Pick<PageWatch, 'check' | 'heard'>;

/** One page of the panel: shows what the session manager holds and passes on what the user does. It decides nothing. */
export class ChatPanel implements vscode.Disposable {
  readonly #view: PanelHolder;
  readonly #channel: PanelChannel;
  readonly #watch: Watch;
  readonly #find: ConversationFind;
  readonly #sessions: PanelSessions;
  readonly #actions: PanelActions;
  readonly #past = new PastPage((message) => this.send(message));
  readonly #disposables: vscode.Disposable[];
  /** Counts the states that were asked for: of two, the one that was asked for later is shown. */
  #asked = 0;
  /** Of those that were read. */
  #newest: { readonly asked: number; readonly state?: PanelState } = { asked: 0 };

  /** `watch` is told what is sent to the page and that it was heard. */
  constructor(
    view: PanelHolder,
    early: readonly unknown[],
    sessions: PanelSessions,
    actions: PanelActions,
    watch: Watch,
  ) {
    this.#view = view;
    this.#sessions = sessions;
    this.#actions = actions;
    this.#watch = watch;
    this.#channel = new PanelChannel(
      view,
      () => sessions.shown.log,
      (message) => this.#hear(message),
      actions.warn,
    );
    this.#find = new ConversationFind(
      () => actions.travel.log,
      (results) => this.send(results),
      vscode.l10n.t,
    );
    this.#disposables = [
      this.#channel,
      {
        dispose: sessions.shown.subscribe({
          onEvents: (events) => {
            if (actions.travel.past) return;
            this.#channel.events(events);
            this.#find.advance();
            this.#watch.check();
          },
          onDelta: (delta) => {
            if (actions.travel.past) return;
            this.#channel.delta(delta);
            this.#watch.check();
          },
        }),
      },
      { dispose: () => this.#find.stop() },
      actions.travel.onDidMove(() => this.#showPast()),
      sessions.shown.onDidChange(() => {
        this.#find.stop();
        void this.#snapshot(0);
      }),
    ];
    for (const message of early) this.#channel.receive(message);
  }

  /** Something beside the log has changed: model, mode, key, trust. */
  async refresh(): Promise<void> {
    const newest = await this.#readState();
    this.#channel.send({ type: 'state', state: newest() });
  }

  send(message: HostMessage): void {
    this.#channel.send(message);
    this.#watch.check();
  }

  /** It was changed elsewhere. A page that is not seen gets it with its next snapshot. */
  async sendDraft(): Promise<void> {
    const { id } = this.#sessions.shown;
    const draft = await this.#actions.draft(id);
    if (this.#view.visible) this.#channel.send({ type: 'draft', session: id, draft });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
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
      void vscode.window.showErrorMessage(reasonOf(error));
    } finally {
      landed();
    }
  }

  async #dispatch(message: WebviewMessage, landed: () => void): Promise<unknown> {
    switch (message.type) {
      case 'ready':
        await this.#snapshot(message.session === this.#sessions.shown.id ? message.lastSeq : 0);
        return this.#actions.ready();
      case 'section/get':
        return this.#sendSection(message.session, message.index);
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
        await this.#sessions.whole();
        return this.#isMeantForShown(message) && this.#act(message);
    }
  }

  async #keepDraft({ session, request, draft }: Extract<WebviewMessage, { type: 'draft/save' }>) {
    if (await this.#actions.keepDraft(session, draft))
      this.#channel.send({ type: 'draft/kept', session, request });
  }

  /** Nothing comes between what is whole already and the page, which counts on that for events that follow. */
  async #sendSection(session: string, index: number): Promise<void> {
    const log = this.#sessions.shown.end ?? this.#actions.travel.log;
    const section = log.section(index);
    const events = section.some(({ elided }) => elided) ? await log.whole(section) : section;
    this.#channel.send({ type: 'section', session, index, events: [...events] });
  }

  #showPast(): void {
    const { id, log } = this.#sessions.shown;
    this.#find.stop();
    void this.#past.show(id, log, this.#actions.travel);
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
        return this.send({
          type: 'cost',
          session: message.session,
          ledger: ledgerOf(this.#actions.travel.log.events),
        });
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
        return this.#find.start(message);
      case 'find/stop':
        return this.#find.stop();
      case 'prompt/seek':
        return this.#seekPrompt(message);
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

  #seekPrompt({ session, section, direction }: Extract<WebviewMessage, { type: 'prompt/seek' }>): void {
    const place = seekPrompt(this.#actions.travel.log, section, direction);
    this.send({ type: 'prompt/found', session, direction, ...(place && { place }) });
  }

  /** Resolves with what gives the newest state there is then: one that was asked for later may have been shown meanwhile. */
  async #readState(): Promise<() => PanelState> {
    this.#asked += 1;
    const asked = this.#asked;
    const state = await this.#actions.state();
    if (asked > this.#newest.asked) this.#newest = { asked, state };
    return () => this.#newest.state ?? state;
  }

  async #snapshot(after: number): Promise<void> {
    const newest = await this.#readState();
    const { id } = this.#sessions.shown;
    // Read last: what is kept meanwhile is told at once, and must not be taken back by what was read before.
    const draft = await this.#actions.draft(id);
    const { end, log, live } = this.#sessions.shown;
    const state = newest();
    this.#channel.send(end ? snapshotOfEnd(end, state) : snapshotOf(log, state, after));
    this.#channel.send({ type: 'draft', session: id, draft });
    if (end) void this.#sessions.whole();
    else if (live.length > 0)
      this.#channel.send({ type: 'update', events: [], deltas: [...live], starts: [], isPast: true });
    this.#past.forget();
    if (this.#actions.travel.past) this.#showPast();
  }
}

/** What is taken in whatever is shown. */
function isForAny({ type }: WebviewMessage): boolean {
  return ['ready', 'draft/save', 'draft/add', 'attachment/add', 'attachment/pick'].includes(type);
}
