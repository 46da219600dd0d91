import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/ports/session-store.ts';
import { searchSessions } from '../../node/sessions/search-sessions.ts';
import { chosenItem } from '../base/chosen-item.ts';
import { errorMessage } from '../base/localize.ts';
import type { WindowParts } from '../panel/panel-parts.ts';
import { workspaceRoots } from '../workspace/vscode-workspace.ts';
import { deleteSession, renameSession } from './session-commands.ts';
import {
  DELETE,
  OPEN_IN_TAB,
  RENAME,
  type SessionItem,
  separator,
  sessionItem,
  unreadItem,
} from './session-item.ts';

const SHOW_ALL: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('folder-library'),
  tooltip: vscode.l10n.t('Show Sessions of All Folders'),
};
const SHOW_HERE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('folder-opened'),
  tooltip: vscode.l10n.t('Show Sessions of This Workspace Only'),
};
/** Milliseconds in which changes are gathered. */
const REDRAW_MS = 100;

interface ListPlace {
  readonly query: string;
  readonly showsAll: boolean;
  readonly session: string;
}

/** The list of sessions: to open one, to rename it or to delete it. What is typed is looked for in titles and contents. */
export class SessionList {
  /** The one that is open: keys act on its item in front. */
  static shown: SessionList | undefined;
  readonly #parts: WindowParts;
  readonly #onPick: (session: SessionSummary) => Promise<void>;
  readonly #pick = vscode.window.createQuickPick<SessionItem>();
  readonly #search: ContentSearch;
  readonly #disposables: readonly vscode.Disposable[];
  #sessions: readonly SessionSummary[] = [];
  /** Those that cannot be read. */
  #unread: readonly SessionItem[] = [];
  #showsAll = false;
  #isOpen = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: WindowParts, onPick: (session: SessionSummary) => Promise<void>) {
    this.#parts = parts;
    this.#onPick = onPick;
    this.#search = new ContentSearch(parts.places.sessions, () => this.#drawSoon());
    const pick = this.#pick;
    pick.title = vscode.l10n.t('Session History');
    pick.placeholder = vscode.l10n.t('Open a session, or search titles and contents');
    pick.matchOnDetail = true;
    pick.keepScrollPosition = true;
    this.#disposables = [
      pick,
      pick.onDidChangeValue((value) => this.#search.look(value)),
      pick.onDidAccept(() => this.#accept()),
      pick.onDidTriggerButton((button) => this.#show(button === SHOW_ALL)),
      pick.onDidTriggerItemButton(({ button, item }) => void this.#act(button, item.session).catch(report)),
      pick.onDidHide(() => this.#close()),
      parts.open.onDidChange(() => this.#drawSoon()),
      { dispose: parts.open.feed.subscribe({ onEvents: () => this.#drawSoon() }) },
    ];
  }

  /** `before` is where the user was in a list that was left for a moment. */
  async open(before?: ListPlace): Promise<void> {
    this.#pick.busy = true;
    this.#pick.value = before?.query ?? '';
    this.#pick.show();
    SessionList.shown = this;
    await setContext(true);
    await this.#read();
    this.#show(before?.showsAll ?? !this.#sessions.some(isHere));
    if (!before) return;
    this.#search.look(before.query);
    this.#draw(before.session);
  }

  #show(all: boolean): void {
    this.#showsAll = all;
    this.#pick.buttons = [all ? SHOW_HERE : SHOW_ALL];
    this.#draw();
  }

  #accept(): void {
    const session = chosenItem(this.#pick)?.session;
    this.#pick.hide();
    if (session) this.#onPick(session).catch(report);
  }

  /** As if this button of the item in front was pressed. */
  act(button: vscode.QuickInputButton): Promise<void> {
    return this.#act(button, this.#pick.activeItems[0]?.session);
  }

  async #act(button: vscode.QuickInputButton, session: SessionSummary | undefined): Promise<void> {
    if (!session) return;
    if (button === DELETE) return this.#delete(session);
    const before = { query: this.#pick.value, showsAll: this.#showsAll, session: session.id };
    this.#pick.hide();
    if (button === OPEN_IN_TAB) return this.#parts.panels.openTab(session.id);
    if (button !== RENAME) return;
    await renameSession(this.#parts, session.id, session.title);
    await new SessionList(this.#parts, this.#onPick).open(before);
  }

  async #delete({ id }: SessionSummary): Promise<void> {
    await deleteSession(this.#parts, id, () => void this.#reload());
    await this.#reload();
  }

  async #reload(): Promise<void> {
    if (!this.#isOpen) return;
    await this.#read();
    this.#draw();
  }

  async #read(): Promise<void> {
    const unread: SessionItem[] = [];
    this.#sessions = await this.#parts.store.list((id, error) =>
      unread.push(unreadItem(id, errorMessage(error))),
    );
    this.#unread = unread;
  }

  #close(): void {
    this.#isOpen = false;
    if (SessionList.shown === this) SessionList.shown = undefined;
    void setContext(SessionList.shown !== undefined);
    this.#search.stop();
    clearTimeout(this.#timer);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #drawSoon(): void {
    if (!this.#isOpen) return;
    this.#timer ??= setTimeout(() => this.#draw(), REDRAW_MS);
  }

  /** `active` is the session in front. */
  #draw(active = this.#pick.activeItems[0]?.session?.id): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isOpen) return;
    const items = this.#items();
    const inFront = items.find(({ session }) => session !== undefined && session.id === active);
    this.#pick.items = items;
    if (inFront) this.#pick.activeItems = [inFront];
    this.#pick.busy = this.#search.isRunning;
  }

  #items(): readonly SessionItem[] {
    const open = new Map(this.#parts.open.all.map((session) => [session.id, session]));
    const now = Date.now();
    const itemOf = (session: SessionSummary) => {
      const state = open.get(session.id)?.state ?? session.state;
      const place = isHere(session) ? '' : session.cwd;
      return sessionItem({ ...session, state }, now, place, this.#search.lineOf(session.id));
    };
    const here = this.#sessions.filter(isHere).map(itemOf);
    if (!this.#showsAll) return [...here, ...this.#unread];
    const others = this.#sessions.filter((session) => !isHere(session)).map(itemOf);
    return [
      separator(vscode.l10n.t('This Workspace')),
      ...here,
      separator(vscode.l10n.t('Other Folders')),
      ...others,
      ...this.#unread,
    ];
  }
}

/** What package.json's keys wait for. */
function setContext(isShown: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', 'harness.sessionListShown', isShown);
}

function isHere({ cwd }: SessionSummary): boolean {
  return workspaceRoots().some(({ path }) => path === cwd);
}

function report(error: unknown): void {
  void vscode.window.showWarningMessage(errorMessage(error));
}

/** Milliseconds without a key after which the search begins. */
const PAUSE_MS = 200;
/** Characters, and sessions found. */
const SHORTEST_QUERY = 2;
const MOST_SESSIONS = 200;

/** Looks for what somebody types in the contents of the sessions. */
export class ContentSearch {
  readonly #root: string;
  readonly #onChange: () => void;
  readonly #lines = new Map<string, string>();
  #search = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `root` is the folder of all sessions. `onChange` is called whenever there is another result, and at the end. */
  constructor(root: string, onChange: () => void) {
    this.#root = root;
    this.#onChange = onChange;
  }

  get isRunning(): boolean {
    return this.#timer !== undefined;
  }

  /** The line of a session that says what is looked for; empty where none was found. */
  lineOf(id: string): string {
    return this.#lines.get(id) ?? '';
  }

  /** The end of the search before. */
  look(query: string): void {
    this.stop();
    this.#lines.clear();
    this.#onChange();
    if (query.trim().length < SHORTEST_QUERY) return;
    const { signal } = this.#search;
    this.#timer = setTimeout(() => void this.#run(query, signal), PAUSE_MS);
  }

  stop(): void {
    this.#search.abort();
    this.#search = new AbortController();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #run(query: string, signal: AbortSignal): Promise<void> {
    for await (const { id, line } of searchSessions(this.#root, query, signal)) {
      if (signal.aborted) return;
      this.#lines.set(id, line);
      this.#onChange();
      if (this.#lines.size >= MOST_SESSIONS) break;
    }
    if (signal.aborted) return;
    this.#timer = undefined;
    this.#onChange();
  }
}
