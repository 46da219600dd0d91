import * as vscode from 'vscode';
import type { RunResult } from '../../app/prompts/prompt-sender.ts';
import type { SessionController } from '../../app/sessions/session-controller.ts';
import type { TypedPrompt } from '../../protocol/composer-messages.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import type { HostMessage, PanelState, WebviewMessage } from '../../protocol/messages.ts';
import { type CommandId, isAtOnce } from '../base/command-ids.ts';
import { onUserActivity, PageHealth } from './page-health.ts';
import { runPanelCommand } from './panel-commands.ts';
import type { PanelContainer } from './panel-container.ts';
import { PanelInput } from './panel-input.ts';
import { PanelMessages } from './panel-messages.ts';
import type { WindowParts } from './panel-parts.ts';
import { panelStateOf } from './panel-state.ts';
import { TimeTravel } from './time-travel.ts';

/** Attempts to bring a page back before Harness asks the user to reload the window. */
const RENEWALS = 2;

/** Runs one of our commands for a panel. */
export type RunCommand = (
  parts: WindowParts,
  panel: PanelView,
  command: CommandId,
  args: readonly unknown[],
) => Promise<unknown>;

/** A panel of a window, with or without a loaded page. */
export class PanelView implements vscode.Disposable {
  readonly #parts: WindowParts;
  readonly #show: () => Thenable<unknown>;
  readonly #runCommand: RunCommand;
  readonly #input: PanelInput;
  readonly travel: TimeTravel;
  readonly #disposables: vscode.Disposable[];
  #place: PanelContainer | undefined;
  #page: PanelMessages | undefined;
  /** The page is loaded, visible and has its content. VS Code drops messages to any other page. */
  #isReady = false;
  /** Counts the pages so far. */
  #pages = 0;
  /** Sends the file that prompts share to the page. Undefined while no page is ready. */
  #fileWatch: vscode.Disposable | undefined;
  /** Messages that wait until a page is ready. */
  #later: HostMessage[] = [];
  readonly #watch = new PageHealth({
    ping: async () => this.#place?.webview.postMessage({ type: 'ping' } satisfies HostMessage),
    rebuild: (attempt) => this.#rebuild(attempt),
    isVisible: () => this.isVisible,
  });

  /** `show` brings the panel to the front, with the keyboard focus. */
  constructor(parts: WindowParts, show: () => Thenable<unknown>, runCommand: RunCommand) {
    this.#parts = parts;
    this.#show = show;
    this.#runCommand = runCommand;
    this.#input = new PanelInput({
      ...parts,
      isReady: () => this.#isReady,
      post: (message) => this.post(message),
    });
    this.travel = new TimeTravel(parts.sessions.shown);
    this.#disposables = [
      this.travel,
      this.travel.onDidMove(() => parts.panels.turned()),
      parts.sessions.shown.onDidChange(() => parts.panels.turned()),
      parts.approver.onDidChangePending((pending) => this.#place?.showWaiting(pending)),
      parts.sessions.shown.onDidChange(() => this.#describe()),
      parts.sessions.shown.onDidChangeAccess(() => void this.refresh()),
      { dispose: parts.sessions.shown.subscribe({ onEvents: (events) => this.#follow(events) }) },
      { dispose: parts.drafts.subscribe((session, author) => this.#followDraft(session, author)) },
      onUserActivity(() => this.#watch.check()),
      { dispose: () => this.#watch.stop() },
    ];
  }

  /** Controls which session the panel shows. */
  get sessions(): SessionController {
    return this.#parts.sessions;
  }

  get isVisible(): boolean {
    return this.#place?.visible ?? false;
  }

  /** `early` has the messages that the page has already posted. */
  attach(place: PanelContainer, early: readonly unknown[]): void {
    this.#page?.dispose();
    this.#place = place;
    this.#turnPage();
    this.#watch.expect();
    this.#page = new PanelMessages(
      place,
      early,
      { ...this.#parts, composer: this.#input, panel: this },
      this.#watch,
    );
    place.showWaiting(this.#parts.approver.pending);
    this.#describe();
    let { visible } = place;
    place.onDidChangeVisibility(() => {
      if (place.visible !== visible) this.#seen(place.visible);
      this.#parts.panels.turned();
      visible = place.visible;
    });
    place.onDidDispose(() => this.#place === place && this.#leave());
  }

  /** VS Code drops the page of a hidden panel, and makes a new one when the panel is shown. */
  #seen(isVisible: boolean): void {
    this.#turnPage();
    if (isVisible) this.#watch.expect();
    else this.#watch.stop();
  }

  #leave(): void {
    this.#watch.stop();
    this.#page?.dispose();
    this.#page = undefined;
    this.#place = undefined;
    this.#turnPage();
  }

  /** Runs one of our commands for this panel. */
  async run(command: CommandId, args: readonly unknown[]): Promise<unknown> {
    this.#watch.check();
    if (!isAtOnce(command)) await this.sessions.whole();
    return this.#runCommand(this.#parts, this, command, args);
  }

  /** Runs what a button of the page stands for. */
  press(message: Extract<WebviewMessage, { type: 'command' }>): Promise<void> {
    return runPanelCommand(this.#parts, this, message);
  }

  /** What the panel shows beside the log. */
  state(): Promise<PanelState> {
    return panelStateOf(this.#parts);
  }

  async refresh(): Promise<void> {
    await this.#page?.content.refresh();
  }

  /**
   * Makes the panel visible. If it is visible already, leaves the focus where it is, because the user need
   * not type.
   */
  async bringToFront(): Promise<void> {
    if (!this.isVisible) await this.#show();
  }

  /** Brings the panel to the front, with the keyboard focus in its input. */
  async reveal(): Promise<void> {
    await this.#show();
    this.post({ type: 'input/focus' });
  }

  /** Puts text into the input, without sending it. */
  async insert(text: string): Promise<void> {
    this.travel.leave();
    this.post({ type: 'input/insert', text });
    await this.reveal();
  }

  /** Adds the prompt to the history and starts a run with it. Rejects with `BusyError` during a run. */
  async submit(text: string): Promise<RunResult> {
    this.travel.leave();
    return this.sessions.use(({ prompts }) => prompts.send({ text }));
  }

  /**
   * Like `submit`, but queues the prompt during a run. If it cannot be sent, puts it into the input and shows
   * the reason.
   */
  submitTyped(prompt: TypedPrompt): Promise<RunResult | undefined> {
    this.travel.leave();
    return this.#input.submit(prompt);
  }

  /** The session's run continues. */
  dispose(): void {
    this.#turnPage();
    this.#page?.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
    this.sessions.dispose();
  }

  /** Sends a draft to the page, unless this panel changed it. */
  #followDraft(session: string, author: unknown): void {
    if (author !== this.#input && session === this.sessions.shown.id) void this.#page?.content.sendDraft();
  }

  /** VS Code stores the page's reading position. Files have the draft and the conversation. */
  #rebuild(attempt: number): void {
    this.#parts.output.warn(`The panel's page does not answer. It is rebuilt (attempt ${attempt}).`);
    this.#turnPage();
    if (attempt <= RENEWALS) this.#place?.renew();
    else void offerReload();
  }

  /** Sends a message as soon as a page is ready. */
  post(message: HostMessage): void {
    if (this.#isReady) this.#page?.content.send(message);
    else this.#later.push(message);
  }

  /** Another page takes the place of the current one. */
  #turnPage(): void {
    this.#isReady = false;
    this.#pages += 1;
    this.#fileWatch?.dispose();
    this.#fileWatch = undefined;
  }

  /** The page has started. It has its content when `begun` resolves. */
  async ready(begun: Promise<void>): Promise<void> {
    const page = this.#pages;
    await begun;
    if (page !== this.#pages || !this.isVisible) return;
    this.#isReady = true;
    for (const message of this.#later.splice(0)) this.#page?.content.send(message);
    this.#fileWatch?.dispose();
    this.#fileWatch = this.#parts.editor.watch((file) => this.post({ type: 'file/shared', file }));
  }

  #follow(events: readonly SessionEvent[]): void {
    this.#parts.panels.turned();
    if (events.some(({ type }) => type === 'user' || type === 'title')) this.#describe();
  }

  #describe(): void {
    this.#place?.showTitle(this.sessions.shown.title);
  }
}

async function offerReload(): Promise<void> {
  const reload = vscode.l10n.t('Reload Window');
  const problem = vscode.l10n.t(
    'The Harness panel is not responding. Reload the window to restore it. Your sessions and draft are saved.',
  );
  if ((await vscode.window.showErrorMessage(problem, reload)) === reload)
    await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
