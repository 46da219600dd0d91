import * as vscode from 'vscode';
import type { ApprovalRequest } from '../core/ports/approver.ts';
import type { ContextSource } from '../core/ports/context-source.ts';
import type { SessionStore } from '../core/ports/event-store.ts';
import type { SecretFilter } from '../core/secrets/secret-filter.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { DeletedSessions } from '../node/deleted-sessions.ts';
import type { Places } from '../node/places.ts';
import type { PromptHistory } from '../node/prompt-history.ts';
import type { ChangeViews } from './change-views.ts';
import type { CommandId } from './commands.ts';
import type { ComposerParts } from './composer-host.ts';
import type { Drafts } from './drafts.ts';
import { EditorTabs } from './editor-tabs.ts';
import { heard } from './heard.ts';
import type { Models } from './models.ts';
import type { OpenSessions } from './open-sessions.ts';
import { inSideBar } from './panel-place.ts';
import { PanelView } from './panel-view.ts';
import type { PastFiles } from './past-files.ts';
import type { ChangesTree } from './review/changes-tree.ts';
import type { Review } from './review/review.ts';
import type { ApiKeys } from './secrets.ts';
import { SessionManager } from './session-manager.ts';
import { TAB_TYPE } from './tab-type.ts';
import type { TextDocuments } from './text-documents.ts';
import type { VscodeApprover } from './vscode-approver.ts';

/** What the panels of a window work with. */
export interface SharedParts {
  readonly extension: vscode.Uri;
  readonly header: string | null;
  readonly history: PromptHistory;
  readonly open: OpenSessions;
  readonly store: SessionStore;
  readonly deleted: DeletedSessions;
  readonly drafts: Drafts;
  readonly models: Models;
  readonly keys: ApiKeys;
  /** What leaves the window is cleaned of them. */
  readonly secrets: SecretFilter;
  readonly approver: VscodeApprover;
  readonly changes: ChangeViews;
  readonly documents: TextDocuments;
  readonly contextSource: ContextSource;
  readonly tools: readonly Tool[];
  readonly composer: ComposerParts;
  readonly output: vscode.LogOutputChannel;
  readonly places: Places;
  readonly pastFiles: PastFiles;
  /** Which session a window shows that opens this folder alone. */
  rememberFor(folder: vscode.Uri, session: string): Promise<void>;
  readonly review: Review;
}

/** What one panel works with. */
export interface WindowParts extends SharedParts {
  readonly sessions: SessionManager;
  readonly panels: Panels;
}

/** What a panel can do to the other ones of its window. */
interface Panels {
  /** Shows a session in an editor tab; a new one where `session` is empty. */
  openTab(session: string): Promise<void>;
  /** Brings a panel to the front that shows this session. */
  reveal(session: string): Promise<void>;
  /** Nobody shows this session any more. Its run goes on. */
  leave(session: string): Promise<void>;
  /** One shows something else, or at another point in time. */
  turned(): void;
}

/** One VS Code window: its panels and its commands. */
export class Window implements Panels {
  readonly #parts: SharedParts;
  readonly #sideBar: PanelView;
  readonly #tabs: EditorTabs;
  readonly #turned = new vscode.EventEmitter<void>();
  readonly onDidTurn = this.#turned.event;
  readonly #owned: vscode.Disposable[] = [this.#turned];

  /** `sessions` is what the side bar shows. */
  constructor(parts: SharedParts, sessions: SessionManager) {
    this.#parts = parts;
    this.#sideBar = this.#createPanel(sessions, () => vscode.commands.executeCommand('harness.chat.focus'));
    this.#tabs = new EditorTabs(
      parts.extension,
      (show) =>
        this.#createPanel(new SessionManager({ ...parts, current: NOWHERE, logger: parts.output }), show),
      (panel) => parts.review.leave(panel.sessions),
    );
    this.own(parts.approver.onDidAsk((request) => void this.#announce(request)));
  }

  /** What the tree of changes shows. */
  get changes(): ChangesTree {
    return this.#parts.review.tree;
  }

  /** Shows the conversation in a view; `early` is what its page has said already. */
  attach(view: vscode.WebviewView, early: readonly unknown[]): void {
    this.#sideBar.attach(inSideBar(view), early);
  }

  /** A tab that VS Code has brought back, whose page has saved `state`. */
  restoreTab(tab: vscode.WebviewPanel, early: readonly unknown[], state: unknown): Promise<void> {
    const session = (state as { session?: unknown } | undefined)?.session;
    return this.#tabs.restore(tab, early, typeof session === 'string' ? session : '');
  }

  run(command: CommandId, args: readonly unknown[]): Promise<unknown> {
    return this.#panelOf(args[0]).run(command, isTab(args[0]) ? [] : args);
  }

  /** As `run`, about the session in the side bar. */
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

  async leave(session: string): Promise<void> {
    for (const panel of this.#tabs.panels) if (panel.sessions.shown.id === session) this.#tabs.close(panel);
    if (this.#sideBar.sessions.shown.id === session) await this.#sideBar.sessions.startNew();
  }

  turned(): void {
    this.#turned.fire();
  }

  /** The panel that the user is most likely to look at. */
  get current(): PanelView {
    return this.#panelOf(undefined);
  }

  /** Something beside the log has changed: model, mode, key, trust, the queue. */
  async refresh(): Promise<void> {
    await Promise.all(this.#all.map((panel) => panel.refresh()));
  }

  /** Disposed of with the window, last one first. */
  own(...disposables: readonly vscode.Disposable[]): void {
    this.#owned.push(...disposables);
  }

  /** Stops what runs, and gives the sessions back. */
  async dispose(): Promise<void> {
    await Promise.all([this.#parts.open.dispose(), this.#parts.drafts.flush()]);
    this.#tabs.dispose();
    this.#sideBar.dispose();
    for (const disposable of this.#owned.reverse()) disposable.dispose();
  }

  get #all(): readonly PanelView[] {
    return [this.#sideBar, ...this.#tabs.panels];
  }

  #createPanel(sessions: SessionManager, show: () => Thenable<unknown>): PanelView {
    return new PanelView({ ...this.#parts, sessions, panels: this }, show);
  }

  /** Where a command was chosen in the menu of a page, that one; else the one that the user is most likely to look at. */
  #panelOf(context: unknown): PanelView {
    const webview = (context as { webview?: unknown } | undefined)?.webview;
    const { active, panels } = this.#tabs;
    if (webview !== TAB_TYPE && webview !== undefined) return this.#sideBar;
    if (active) return active;
    return (!this.#sideBar.isVisible && panels.find(({ isVisible }) => isVisible)) || this.#sideBar;
  }

  /** Says that a run waits which nobody sees. */
  async #announce({ session, action }: ApprovalRequest): Promise<void> {
    const isSeen = ({ isVisible, travel, sessions: { shown } }: PanelView) =>
      isVisible && !travel.past && shown.is(session);
    if (this.#all.some(isSeen)) return;
    const title = this.#parts.open.find(session)?.title ?? '';
    const show = vscode.l10n.t('Show');
    const message = vscode.l10n.t('Harness needs your approval in “{0}”: {1}', title, heard(action.title));
    if ((await vscode.window.showInformationMessage(message, show)) === show) await this.reveal(session);
  }
}

/** What VS Code says with a button in the title of one of our tabs, which is nothing that a command is about. */
function isTab(context: unknown): boolean {
  return context instanceof vscode.Uri && context.scheme === 'webview-panel';
}

/** VS Code keeps with a tab which session it shows. */
const NOWHERE = { load: async () => '', save: async () => {} };
