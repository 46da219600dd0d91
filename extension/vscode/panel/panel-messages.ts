import * as vscode from 'vscode';
import type { Shown } from '../../app/sessions/displayed-session.ts';
import type { SessionController } from '../../app/sessions/session-controller.ts';
import type { HostMessage, PanelState, WebviewMessage } from '../../protocol/messages.ts';
import type { SentMessage } from '../../protocol/queue-messages.ts';
import { callKey } from '../approvals/vscode-approver.ts';
import { isAtOnce } from '../base/command-ids.ts';
import { errorMessage } from '../base/localize.ts';
import { selectMode, writeUserSetting } from '../base/settings.ts';
import { openFile } from '../workspace/open-file.ts';
import { actOnCommand } from './act-on-command.ts';
import { copyPart } from './copy-markdown.ts';
import type { PageHealth } from './page-health.ts';
import { PanelChannel, type PanelHolder } from './panel-channel.ts';
import { type PageSessions, PanelContent } from './panel-content.ts';
import type { PanelInput } from './panel-input.ts';
import type { WindowParts } from './panel-parts.ts';
import type { TimeTravel } from './time-travel.ts';

/** The panel that owns the page. */
interface PagePanel {
  readonly travel: TimeTravel;
  /** Reads the whole state each time. */
  state(): Promise<PanelState>;
  /** Sends a message as soon as a page is ready. */
  post(message: HostMessage): void;
  /** The page has started. It has its content when `begun` resolves. */
  ready(begun: Promise<void>): Promise<void>;
  /** Runs what a button or a slash command stands for. */
  press(message: Extract<WebviewMessage, { type: 'command' }>): Promise<void>;
}

type PanelSessions = PageSessions & Pick<SessionController, 'resolve' | 'use'>;

/** The parts that handle a page's messages. */
export interface MessageParts extends Pick<WindowParts, 'approver' | 'changes' | 'output'> {
  readonly sessions: PanelSessions;
  readonly composer: Pick<
    PanelInput,
    | 'hold'
    | 'send'
    | 'giveBack'
    | 'refusalOf'
    | 'answer'
    | 'handleQueue'
    | 'draft'
    | 'addToDraft'
    | 'keepDraft'
  >;
  readonly panel: PagePanel;
}

/** Messages that `#act` does not get, because they do not need the session read whole first. */
type EarlyMessage =
  | SentMessage
  | Extract<WebviewMessage, { type: 'ready' | 'section/get' | 'draft/save' | 'draft/add' }>;

/** Messages that act on the current state. Harness ignores them while the panel shows the past. */
const nowOnly = new Set<WebviewMessage['type']>([
  'queue/edit',
  'queue/taken',
  'queue/remove',
  'queue/send',
  'run/cancel',
  'call/act',
  'background/stop',
  'background/keep',
  'run/continue',
  'retry/now',
  'permission/answer',
  'question/answer',
]);

type Watch = Pick<PageHealth, 'check' | 'noteMessage'>;

/** Connects one page of the panel: shows the session and passes on what the user does. It decides nothing. */
export class PanelMessages implements vscode.Disposable {
  readonly #channel: PanelChannel;
  readonly content: PanelContent;
  readonly #watch: Watch;
  readonly #parts: MessageParts;

  /**
   * Reports to `watch` what is sent to the page and what arrives from it. `early` has the messages that the
   * page has already posted.
   */
  constructor(view: PanelHolder, early: readonly unknown[], parts: MessageParts, watch: Watch) {
    const { sessions, composer, panel, output } = parts;
    const warn = (problem: string) => output.warn(problem);
    this.#parts = parts;
    this.#watch = watch;
    const channel = new PanelChannel(
      view,
      () => sessions.shown.log,
      (message) => this.#receive(message),
      warn,
    );
    this.#channel = channel;
    const { t: translate } = vscode.l10n;
    const sources = {
      travel: panel.travel,
      state: () => panel.state(),
      draft: (session: string) => composer.draft(session),
      warn,
    };
    this.content = new PanelContent({ view, channel, sessions, sources, watch, translate });
    for (const message of early) channel.receive(message);
  }

  dispose(): void {
    this.#channel.dispose();
    this.content.dispose();
  }

  #receive(message: WebviewMessage): void {
    this.#watch.noteMessage();
    if (message.type !== 'pong') void this.#handle(message);
  }

  async #handle(message: WebviewMessage): Promise<void> {
    try {
      if ('text' in message) await this.#submit(message);
      else await this.#dispatch(message);
    } catch (error) {
      void vscode.window.showErrorMessage(errorMessage(error));
    }
  }

  /**
   * Sends a prompt. Puts it back into the input if its session is no longer shown, or if it should not be
   * sent as it is.
   */
  async #submit(prompt: SentMessage): Promise<void> {
    const { sessions, composer, panel } = this.#parts;
    const landed = composer.hold(prompt);
    try {
      if (!(await sessions.resolve(prompt.session))) return composer.giveBack(prompt);
      const refusal = await composer.refusalOf(prompt).catch((error: unknown) => {
        composer.giveBack(prompt);
        throw error;
      });
      const { text, attachments = [], withoutOpenFile } = prompt;
      if (refusal)
        panel.post({
          type: 'prompt/refused',
          text,
          attachments,
          ...(withoutOpenFile && { withoutOpenFile }),
          ...refusal,
        });
      else if (prompt.session === sessions.shown.id) await composer.send(prompt, landed);
      else composer.giveBack(prompt);
    } finally {
      landed();
    }
  }

  async #dispatch(message: Exclude<WebviewMessage, SentMessage>): Promise<unknown> {
    const { sessions, composer, panel } = this.#parts;
    const { id } = sessions.shown;
    switch (message.type) {
      case 'ready':
        return panel.ready(this.content.begin(message.session === id ? message.lastSeq : 0));
      case 'section/get':
        return message.session === id && this.content.section(message);
      case 'draft/save':
        return this.#keepDraft(message);
      case 'draft/add':
        return composer.addToDraft(message.session, message.typed);
      default: {
        const isAtHand = message.type === 'command' && isAtOnce(message.command);
        const target = isAtHand ? {} : await sessions.resolve(sessionOf(message));
        return target && this.#act(message, target);
      }
    }
  }

  async #keepDraft({ session, request, draft }: Extract<WebviewMessage, { type: 'draft/save' }>) {
    if (await this.#parts.composer.keepDraft(session, draft))
      this.#channel.send({ type: 'draft/kept', session, request });
  }

  async #act(message: Exclude<WebviewMessage, EarlyMessage>, { session }: Shown): Promise<unknown> {
    const { sessions, composer, panel, approver, changes, output } = this.#parts;
    const { travel } = panel;
    if (travel.past && nowOnly.has(message.type)) return undefined;
    switch (message.type) {
      case 'queue/edit':
      case 'queue/taken':
      case 'queue/remove':
      case 'queue/send':
        return composer.handleQueue(message);
      case 'run/cancel':
        return session?.core.cancel();
      case 'call/act':
      case 'background/stop':
      case 'background/show':
      case 'background/keep':
        return session && actOnCommand(session, message);
      case 'run/continue':
        return sessions.use((shown) => shown.continue());
      case 'retry/now':
        return session?.core.retryNow();
      case 'permission/answer':
        return approver.answer(callKey(message), message.decision, message.reason);
      case 'question/answer':
        return approver.reply(callKey(message), message.answer);
      case 'diff/open':
        return changes.openDiff(sessions.shown.id, message.id, sessions.shown.log, approver);
      case 'result/open':
        return changes.openResult(message.id, sessions.shown.log);
      case 'link/open':
        return vscode.env.openExternal(vscode.Uri.parse(message.href, true));
      case 'file/open':
        return openFile(message);
      case 'cost/get':
        return this.content.cost(message.session);
      case 'past/go':
        return travel.goTo(message.seq);
      case 'completion/get':
      case 'attachment/add':
      case 'attachment/pick':
      case 'attachment/open':
      case 'mention/drop':
        return composer.answer(message);
      case 'file/never':
        return writeUserSetting('context.openFile', false);
      case 'mode/select':
        return selectMode(message.mode);
      case 'command':
        return panel.press(message);
      case 'find/start':
        return this.content.find.start(message);
      case 'find/stop':
        return this.content.find.stop();
      case 'prompt/seek':
        return this.content.seekPrompt(message);
      case 'part/copy':
        return copyPart(travel.log, message.section, message.part);
      case 'pong':
        return undefined;
      case 'log':
        return output.warn(`panel: ${message.message}`);
    }
  }
}

/** The session that a message is about. Undefined if the message applies to any shown session. */
function sessionOf(message: WebviewMessage): string | undefined {
  const isForAny = message.type === 'attachment/add' || message.type === 'attachment/pick';
  return 'session' in message && !isForAny ? message.session : undefined;
}
