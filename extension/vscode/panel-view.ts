import * as vscode from 'vscode';
import { BusyError } from '../core/session/session.ts';
import type { SessionEvent } from '../protocol/events.ts';
import type { PanelState } from '../protocol/messages.ts';
import { ChatPanel, type PanelActions } from './chat-panel.ts';
import { runCommand } from './run-command.ts';
import type { RunResult } from './session-manager.ts';
import { readSetting, writeUserSetting } from './settings.ts';
import { suggestPrompts } from './suggestions.ts';
import type { WindowParts } from './window.ts';

/** The panel of a window, whether its page stands or not. */
export class PanelView implements vscode.Disposable {
  readonly #parts: WindowParts;
  readonly #disposables: vscode.Disposable[];
  #view: vscode.WebviewView | undefined;
  #page: ChatPanel | undefined;
  /** For a page that does not stand yet. */
  #insertLater = '';

  constructor(parts: WindowParts) {
    this.#parts = parts;
    this.#disposables = [parts.approver.onDidChangePending((pending) => this.#badge(pending.length))];
  }

  attach(view: vscode.WebviewView, early: readonly unknown[]): void {
    this.#page?.dispose();
    this.#view = view;
    this.#page = new ChatPanel(view, early, this.#parts.sessions, this.#actions());
    this.#badge(this.#parts.approver.pending.length);
    view.onDidDispose(() => {
      this.#page?.dispose();
      this.#page = undefined;
      this.#view = undefined;
    });
  }

  async refresh(): Promise<void> {
    await this.#page?.refresh();
  }

  /** Brings the panel to the front, with the keyboard's focus in its input. */
  async reveal(): Promise<void> {
    await vscode.commands.executeCommand('harness.chat.focus');
    this.#page?.send({ type: 'input/focus' });
  }

  /** Puts text into the input, without sending it. */
  async insert(text: string): Promise<void> {
    if (this.#page) this.#page.send({ type: 'input/insert', text });
    else this.#insertLater += text;
    await this.reveal();
  }

  /** Remembers the prompt and works on it. Rejects with `BusyError` while a run is on. */
  async submit(text: string): Promise<RunResult> {
    if (this.#parts.sessions.busy) throw new BusyError();
    await this.#parts.history.add(text);
    await this.refresh();
    return this.#parts.sessions.prompt(text);
  }

  /** Like `submit`, but what cannot be sent is put into the input, and the reason shown. */
  async submitTyped(text: string): Promise<RunResult | undefined> {
    try {
      return await this.submit(text);
    } catch (error) {
      this.#page?.send({ type: 'input/insert', text });
      void vscode.window.showWarningMessage(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  dispose(): void {
    this.#page?.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #actions(): PanelActions {
    const { approver, changes, sessions, output } = this.#parts;
    return {
      state: () => this.#state(),
      submit: (text) => this.submitTyped(text),
      answer: ({ id, decision }) => approver.answer(id, decision),
      openDiff: (id) => changes.openDiff(id, approver),
      openResult: (id) => changes.openResult(id, sessions.events),
      selectMode: ({ mode }) => selectMode(mode),
      run: (command) => runPanelCommand(this.#parts, this, command),
      warn: (message) => output.warn(message),
      ready: () => this.#insertWaiting(),
    };
  }

  #insertWaiting(): void {
    if (this.#insertLater === '') return;
    this.#page?.send({ type: 'input/insert', text: this.#insertLater });
    this.#insertLater = '';
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
      history: [...(await history.load())],
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
  await models.useDemo();
  if (lacksKey(sessions.events)) await sessions.continue();
}

function lacksKey(events: readonly SessionEvent[]): boolean {
  const end = events.at(-1);
  const error = events.findLast((event) => event.type === 'error');
  const endedSo = end?.type === 'turn_ended' && end.reason === 'error';
  return endedSo && (error?.code === 'no_key' || error?.code === 'auth');
}
