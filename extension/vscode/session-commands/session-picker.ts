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
/** Milliseconds for which changes are collected before a redraw. */
const REDRAW_MS = 100;

interface ListPlace {
  readonly query: string;
  readonly showsAll: boolean;
  readonly session: string;
}

/** The list of sessions: opens, renames and deletes them. Searches titles and contents. */
export class SessionList {
  /** The open list. Key bindings act on its active item. */
  static shown: SessionList | undefined;
  readonly #parts: WindowParts;
  readonly #onPick: (session: SessionSummary) => Promise<void>;
  readonly #pick = vscode.window.createQuickPick<SessionItem>();
  readonly #search: ContentSearch;
  readonly #disposables: readonly vscode.Disposable[];
  #sessions: readonly SessionSummary[] = [];
  /** The sessions that cannot be read. */
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

  /** `before` is the user's place in a list that closed for a moment. */
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

  /** Acts as if the user pressed this button of the active item. */
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

  /** `active` is the id of the active item's session. */
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
      separator(vscode.l10n.t('This workspace')),
      ...here,
      separator(vscode.l10n.t('Other folders')),
      ...others,
      ...this.#unread,
    ];
  }
}

/** Sets the context that package.json's key bindings check. */
function setContext(isShown: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', 'harness.sessionListShown', isShown);
}

function isHere({ cwd }: SessionSummary): boolean {
  return workspaceRoots().some(({ path }) => path === cwd);
}

function report(error: unknown): void {
  void vscode.window.showWarningMessage(errorMessage(error));
}

/** Milliseconds without a key press before the search begins. */
const PAUSE_MS = 200;
/** The least characters of a query, and the most sessions found. */
const SHORTEST_QUERY = 2;
const MOST_SESSIONS = 200;

/** Searches the contents of the sessions for what the user types. */
export class ContentSearch {
  readonly #root: string;
  readonly #onChange: () => void;
  readonly #lines = new Map<string, string>();
  #search = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `root` is the folder of all sessions. Calls `onChange` for each new result, and at the end. */
  constructor(root: string, onChange: () => void) {
    this.#root = root;
    this.#onChange = onChange;
  }

  get isRunning(): boolean {
    return this.#timer !== undefined;
  }

  /** The matching line of a session. Empty if there is none. */
  lineOf(id: string): string {
    return this.#lines.get(id) ?? '';
  }

  /** Starts a search and ends the previous one. */
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
