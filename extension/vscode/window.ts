import type * as vscode from 'vscode';
import type { SessionStore } from '../core/ports/event-store.ts';
import type { Places } from '../node/places.ts';
import type { PromptHistory } from '../node/prompt-history.ts';
import type { ChangeViews } from './change-views.ts';
import type { CommandId } from './commands.ts';
import type { Models } from './models.ts';
import { PanelView } from './panel-view.ts';
import { runCommand } from './run-command.ts';
import type { ApiKeys } from './secrets.ts';
import type { SessionManager } from './session-manager.ts';
import type { VscodeApprover } from './vscode-approver.ts';

/** What a window works with. */
export interface WindowParts {
  readonly header: string | null;
  readonly history: PromptHistory;
  readonly sessions: SessionManager;
  readonly store: SessionStore;
  readonly models: Models;
  readonly keys: ApiKeys;
  readonly approver: VscodeApprover;
  readonly changes: ChangeViews;
  readonly output: vscode.LogOutputChannel;
  readonly places: Places;
}

/** One VS Code window: its panel and its commands. */
export class Window {
  readonly #parts: WindowParts;
  readonly #panel: PanelView;
  readonly #owned: vscode.Disposable[] = [];

  constructor(parts: WindowParts) {
    this.#parts = parts;
    this.#panel = new PanelView(parts);
  }

  /** Shows the conversation in a page of `html`; `early` is what the page has said already. */
  attach(view: vscode.WebviewView, early: readonly unknown[], html: () => string): void {
    this.#panel.attach(view, early, html);
  }

  run(command: CommandId, args: readonly unknown[]): Promise<unknown> {
    return runCommand(this.#parts, this.#panel, command, args);
  }

  /** Something beside the log has changed: model, mode, key, trust. */
  refresh(): Promise<void> {
    return this.#panel.refresh();
  }

  /** Disposed of with the window, last one first. */
  own(...disposables: readonly vscode.Disposable[]): void {
    this.#owned.push(...disposables);
  }

  /** Stops what runs, and gives the session back. */
  async dispose(): Promise<void> {
    await this.#parts.sessions.dispose();
    this.#panel.dispose();
    for (const disposable of this.#owned.reverse()) disposable.dispose();
  }
}
