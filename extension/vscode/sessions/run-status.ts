import * as vscode from 'vscode';
import type { Head } from '../../protocol/head.ts';
import { plural } from '../base/localize.ts';

/** Milliseconds between two redraws. Each change is a message to the window, and no user reads faster. */
const REDRAW_MS = 100;

/** The status bar item during runs. A click cancels the run, or lets the user choose one of several. */
export class RunStatus implements vscode.Disposable {
  readonly #running: () => readonly Head[];
  readonly #item = vscode.window.createStatusBarItem('harness.run', vscode.StatusBarAlignment.Left);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `running` returns the heads of the sessions that have a run. */
  constructor(running: () => readonly Head[]) {
    this.#running = running;
    this.#item.name = 'Harness';
    this.#item.command = 'harness.cancel';
  }

  /** Call when one of these heads may have changed. Redraws later. */
  update(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#draw(this.#running());
    }, REDRAW_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#item.dispose();
  }

  #draw(running: readonly Head[]): void {
    const [first] = running;
    if (first) this.#show(running, first);
    else this.#item.hide();
  }

  #show(running: readonly Head[], first: Head): void {
    const waiting = running.filter(({ approvals }) => approvals.length > 0).length;
    const isOne = running.length === 1;
    const what = isOne ? describe(first) : describeAll(running.length, waiting);
    this.#item.text = `${waiting > 0 ? '$(bell)' : '$(sync~spin)'} Harness: ${withoutIcons(what)}`;
    this.#item.tooltip = isOne
      ? vscode.l10n.t('Harness is working. Click to stop.')
      : vscode.l10n.t('Harness is working. Click to select a run to stop.');
    this.#item.accessibilityInformation = { label: pressLabel(what, isOne), role: 'button' };
    this.#item.backgroundColor =
      waiting > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }
}

function pressLabel(what: string, isOne: boolean): string {
  return isOne
    ? vscode.l10n.t('Harness: {0}. Press to stop.', what)
    : vscode.l10n.t('Harness: {0}. Press to select a run to stop.', what);
}

function describe({ approvals, retry, run }: Head): string {
  if (approvals.length > 0) return vscode.l10n.t('needs your approval');
  if (retry) return vscode.l10n.t('waiting to try again');
  return run.message || vscode.l10n.t('working');
}

function describeAll(running: number, waiting: number): string {
  const runs = vscode.l10n.t('{0} running', running);
  const needs = plural(waiting, '{0} needs your approval', '{0} need your approval');
  return waiting === 0 ? runs : `${runs}, ${needs}`;
}

/** Breaks up `$(name)`, which VS Code would draw as an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
