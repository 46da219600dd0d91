import * as vscode from 'vscode';
import { SessionController } from '../app/sessions/session-controller.ts';
import type { ApprovalRequest } from '../core/ports/approver.ts';
import type { CommandId } from './base/command-ids.ts';
import { localize, notices } from './base/localize.ts';
import { runCommand } from './commands/run-command.ts';
import { EditorTabs } from './panel/editor-tabs.ts';
import { PanelView } from './panel/panel.ts';
import { inSideBar } from './panel/panel-container.ts';
import { TAB_TYPE } from './panel/panel-html.ts';
import type { Panels, SharedParts } from './panel/panel-parts.ts';
import type { ChangesTree } from './review/changes-tree.ts';

/** One VS Code window: its panels and its commands. */
export class Window implements Panels {
  readonly #parts: SharedParts;
  readonly #sideBar: PanelView;
  readonly #tabs: EditorTabs;
  readonly #turned = new vscode.EventEmitter<void>();
  readonly onDidTurn = this.#turned.event;
  readonly #owned: vscode.Disposable[] = [this.#turned];

  /** `sessions` controls what the side bar shows. */
  constructor(parts: SharedParts, sessions: SessionController) {
    this.#parts = parts;
    this.#sideBar = this.#createPanel(sessions, () => vscode.commands.executeCommand('harness.chat.focus'));
    this.#tabs = new EditorTabs(
      parts.extension,
      (show) =>
        this.#createPanel(
          new SessionController({
            ...parts,
            current: NOWHERE,
            logger: parts.output,
            notices,
          }),
          show,
        ),
      (panel) => parts.review.leave(panel.sessions),
    );
    this.own(parts.approver.onDidAsk((request) => void this.#announce(request)));
  }

  /** The data of the changes view. */
  get changes(): ChangesTree {
    return this.#parts.review.tree;
  }

  /** Shows the conversation in a view. `early` has the messages that its page has already posted. */
  attach(view: vscode.WebviewView, early: readonly unknown[]): void {
    this.#sideBar.attach(inSideBar(view), early);
  }

  /** Shows the session of a tab that VS Code restored. `state` is what the tab's page saved. */
  restoreTab(tab: vscode.WebviewPanel, early: readonly unknown[], state: unknown): Promise<void> {
    const session = (state as { session?: unknown } | undefined)?.session;
    return this.#tabs.restore(tab, early, typeof session === 'string' ? session : '');
  }

  run(command: CommandId, args: readonly unknown[]): Promise<unknown> {
    return this.#panelOf(args[0]).run(command, isTab(args[0]) ? [] : args);
  }

  /** Like `run`, but for the session in the side bar. */
  runInView(command: CommandId): Promise<unknown> {
    return this.#sideBar.run(command, []);
  }

  async openTab(session: string): Promise<void> {
    await this.#tabs.open(session);
  }

  async reveal(session: string): Promise<void> {
    const there = this.#all.find(({ sessions }) => sessions.shown.is(session));
    if (!there) await this.#sideBar.sessions.show(session);
    await (there ?? this.#sideBar).reveal();
  }

  shows(session: string): boolean {
    return this.#all.some(({ sessions }) => sessions.shown.is(session));
  }

  /** A visible panel shows the session as it is now. */
  isSeen(session: string): boolean {
    return this.#all.some(
      ({ isVisible, travel, sessions: { shown } }) => isVisible && !travel.past && shown.is(session),
    );
  }

  async leave(session: string): Promise<void> {
    for (const panel of this.#tabs.panels) if (panel.sessions.shown.id === session) this.#tabs.close(panel);
    if (this.#sideBar.sessions.shown.id === session) await this.#sideBar.sessions.startNew();
  }

  turned(): void {
    this.#turned.fire();
  }

  /** The panel that the user most likely looks at. */
  get current(): PanelView {
    return this.#panelOf(undefined);
  }

  /** Updates the panels after a change outside the log: model, mode, key, trust, the queue. */
  async refresh(): Promise<void> {
    await Promise.all(this.#all.map((panel) => panel.refresh()));
  }

  /** Disposes of these with the window, the last one first. */
  own(...disposables: readonly vscode.Disposable[]): void {
    this.#owned.push(...disposables);
  }

  /** Stops all runs and closes the sessions. */
  async dispose(): Promise<void> {
    await Promise.all([this.#parts.open.dispose(), this.#parts.drafts.flush()]);
    this.#tabs.dispose();
    this.#sideBar.dispose();
    for (const disposable of this.#owned.reverse()) disposable.dispose();
  }

  get #all(): readonly PanelView[] {
    return [this.#sideBar, ...this.#tabs.panels];
  }

  #createPanel(sessions: SessionController, show: () => Thenable<unknown>): PanelView {
    return new PanelView({ ...this.#parts, sessions, panels: this }, show, runCommand);
  }

  /**
   * The panel in whose page the user opened the command's menu, or else the panel that the user most likely
   * looks at.
   */
  #panelOf(context: unknown): PanelView {
    const webview = (context as { webview?: unknown } | undefined)?.webview;
    const { active, panels } = this.#tabs;
    if (webview !== TAB_TYPE && webview !== undefined) return this.#sideBar;
    if (active) return active;
    return (!this.#sideBar.isVisible && panels.find(({ isVisible }) => isVisible)) || this.#sideBar;
  }

  /** Notifies the user of an approval request that no visible panel shows. */
  async #announce({ session, action, options }: ApprovalRequest): Promise<void> {
    if (this.isSeen(session)) return;
    const title = this.#parts.open.find(session)?.title ?? '';
    const show = vscode.l10n.t('Show');
    const message = options
      ? vscode.l10n.t('Harness asks you in “{0}”: {1}', title, action.title)
      : vscode.l10n.t('Harness needs your approval in “{0}”: {1}', title, localize(action.title));
    if ((await vscode.window.showInformationMessage(message, show)) === show) await this.reveal(session);
  }
}

/**
 * Whether `context` is the URI that VS Code passes for a button in the title of our tabs. It is not an
 * argument of the command.
 */
function isTab(context: unknown): boolean {
  return context instanceof vscode.Uri && context.scheme === 'webview-panel';
}

/** Stores nothing, because VS Code stores with a tab which session it shows. */
const NOWHERE = { load: async () => '', save: async () => {} };
