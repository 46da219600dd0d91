import * as vscode from 'vscode';
import { BusyError } from '../core/session/session.ts';
import type { SessionEvent } from '../protocol/events.ts';
import type { HostMessage, PanelState } from '../protocol/messages.ts';
import { ChatPanel, type PanelActions } from './chat-panel.ts';
import { openFile } from './open-file.ts';
import { runCommand } from './run-command.ts';
import type { RunResult } from './session-manager.ts';
import { readSetting, writeUserSetting } from './settings.ts';
import { suggestPrompts } from './suggestions.ts';
import { workspaceRoots } from './vscode-workspace.ts';
import type { WindowParts } from './window.ts';

const MAX_TITLE = 80;
/** The view's name in package.json. */
const UNTITLED = 'Chat';
/** Characters; a longer prompt is in the history, but not at hand in the input. */
const MAX_RECALLED = 10_000;

/** The panel of a window, whether its page stands or not. */
export class PanelView implements vscode.Disposable {
  readonly #parts: WindowParts;
  readonly #disposables: vscode.Disposable[];
  #view: vscode.WebviewView | undefined;
  #page: ChatPanel | undefined;
  /** The page stands, is seen and has its content. VS Code drops what is sent to any other. */
  #isReady = false;
  /** For a page that is not ready. */
  #later: HostMessage[] = [];

  constructor(parts: WindowParts) {
    this.#parts = parts;
    this.#disposables = [
      parts.approver.onDidChangePending((pending) => this.#badge(pending.length)),
      parts.sessions.onDidChange(() => this.#describe()),
      { dispose: parts.sessions.subscribe({ onEvents: (events) => this.#follow(events) }) },
    ];
  }

  /** `html` makes the page's content; `early` is what it has said already. */
  attach(view: vscode.WebviewView, early: readonly unknown[], html: () => string): void {
    this.#page?.dispose();
    this.#view = view;
    const actions = { ...this.#actions(), rebuild: (attempt: number) => this.#rebuild(attempt, html) };
    this.#page = new ChatPanel(view, early, this.#parts.sessions, actions);
    this.#badge(this.#parts.approver.pending.length);
    this.#describe();
    this.#isReady = false;
    view.onDidChangeVisibility(() => {
      this.#isReady &&= view.visible;
    });
    view.onDidDispose(() => {
      this.#page?.dispose();
      this.#page = undefined;
      this.#view = undefined;
      this.#isReady = false;
    });
  }

  async refresh(): Promise<void> {
    await this.#page?.refresh();
  }

  /** Brings the panel to the front, with the keyboard's focus in its input. */
  async reveal(): Promise<void> {
    await vscode.commands.executeCommand('harness.chat.focus');
    this.#tell({ type: 'input/focus' });
  }

  /** Puts text into the input, without sending it. */
  async insert(text: string): Promise<void> {
    this.#tell({ type: 'input/insert', text });
    await this.reveal();
  }

  /** Remembers the prompt and works on it. Rejects with `BusyError` while a run is on. */
  async submit(text: string): Promise<RunResult> {
    if (this.#parts.sessions.busy) throw new BusyError();
    await this.#parts.history.add(text).catch((error: unknown) => {
      this.#parts.output.warn(`The prompt is not in the history: ${String(error)}`);
    });
    await this.refresh();
    return this.#parts.sessions.prompt(text);
  }

  /** Like `submit`, but what cannot be sent is put into the input, and the reason shown. */
  async submitTyped(text: string): Promise<RunResult | undefined> {
    const { sessions } = this.#parts;
    const shown = sessions.events.length;
    try {
      return await this.submit(text);
    } catch (error) {
      const isInLog = sessions.events.slice(shown).some((event) => event.type === 'user');
      if (!isInLog) this.#tell({ type: 'input/insert', text });
      void vscode.window.showWarningMessage(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  dispose(): void {
    this.#page?.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #actions(): Omit<PanelActions, 'rebuild'> {
    const { approver, changes, sessions, output } = this.#parts;
    return {
      state: () => this.#state(),
      submit: (text) => this.submitTyped(text),
      answer: ({ id, decision }) => approver.answer(id, decision),
      openDiff: (id) => changes.openDiff(id, approver),
      openResult: (id) => changes.openResult(id, sessions.events),
      openFile,
      selectMode: ({ mode }) => selectMode(mode),
      run: (command) => runPanelCommand(this.#parts, this, command),
      warn: (message) => output.warn(message),
      ready: () => this.#deliver(),
    };
  }

  /** Draft and reading position lie in VS Code's state of the page, everything else in the log. */
  #rebuild(attempt: number, html: () => string): void {
    this.#parts.output.warn(`The panel's page does not answer. It is rebuilt (attempt ${attempt}).`);
    this.#isReady = false;
    if (attempt === 1 && this.#view) this.#view.webview.html = html();
    else if (attempt === 2)
      void vscode.commands.executeCommand('workbench.action.webview.reloadWebviewAction');
    else void offerReload();
  }

  #tell(message: HostMessage): void {
    if (this.#isReady) this.#page?.send(message);
    else this.#later.push(message);
  }

  #deliver(): void {
    this.#isReady = true;
    for (const message of this.#later.splice(0)) this.#page?.send(message);
  }

  #follow(events: readonly SessionEvent[]): void {
    if (events.some((event) => event.type === 'user')) this.#describe();
  }

  /** The session's title is the view's: beside a view that is alone in its place, VS Code shows no description. */
  #describe(): void {
    const first = this.#parts.sessions.events.find((event) => event.type === 'user');
    const title = first?.content.trim().split('\n')[0] ?? '';
    if (this.#view) this.#view.title = title.slice(0, MAX_TITLE) || UNTITLED;
  }

  async #state(): Promise<PanelState> {
    const { header, history, sessions, models } = this.#parts;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const folder = folders.find((candidate) => candidate.uri.scheme === 'file')?.uri.fsPath;
    return {
      session: sessions.id,
      header,
      mode: readSetting('permissions.mode'),
      ...(await models.describe()),
      trusted: vscode.workspace.isTrusted,
      readOnly: sessions.readOnly,
      hasWorkspace: folder !== undefined,
      roots: workspaceRoots().map((root) => root.path),
      history: (await history.load()).filter((prompt) => prompt.length <= MAX_RECALLED),
      suggestions: vscode.workspace.isTrusted ? await suggestPrompts(folder) : [],
    };
  }

  #badge(waiting: number): void {
    if (!this.#view) return;
    const tooltip =
      waiting === 1 ? 'Harness waits for your approval' : `Harness waits for ${waiting} approvals`;
    this.#view.badge = waiting > 0 ? { value: waiting, tooltip } : undefined;
  }
}

async function offerReload(): Promise<void> {
  const reload = 'Reload Window';
  const problem = 'The Harness panel does not come back by itself. Your sessions and your draft are safe.';
  if ((await vscode.window.showErrorMessage(problem, reload)) === reload)
    await vscode.commands.executeCommand('workbench.action.reloadWindow');
}

async function selectMode(mode: PanelState['mode']): Promise<void> {
  if (mode === 'bypass' && !(await confirmBypass())) return;
  await writeUserSetting('permissions.mode', mode);
}

async function confirmBypass(): Promise<boolean> {
  const proceed = 'Never Ask';
  const question = 'Let Harness change files and run commands without asking?';
  const detail = 'Every step is still written down. Use this only where nothing valuable can be reached.';
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, proceed)) === proceed;
}

async function runPanelCommand(
  parts: WindowParts,
  panel: PanelView,
  command: Parameters<PanelActions['run']>[0],
) {
  if (command === 'harness.manageTrust') await vscode.commands.executeCommand('workbench.trust.manage');
  else if (command === 'harness.useDemo') await useDemo(parts);
  else await runCommand(parts, panel, command, []);
}

/** The demo answers the prompt that no other model could answer. */
async function useDemo({ models, sessions }: WindowParts): Promise<void> {
  await models.use('demo/demo');
  if (lacksKey(sessions.events)) await sessions.continue();
}

function lacksKey(events: readonly SessionEvent[]): boolean {
  const end = events.at(-1);
  const error = events.findLast((event) => event.type === 'error');
  const endedSo = end?.type === 'turn_ended' && end.reason === 'error';
  return endedSo && (error?.code === 'no_key' || error?.code === 'auth');
}
