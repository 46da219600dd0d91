import * as vscode from 'vscode';
import type { Head } from '../../protocol/head.ts';
import { plural } from '../base/localize.ts';

/** Milliseconds between two redraws. Each change is a message to the window, and no user reads faster. */
const REDRAW_MS = 100;

export interface ObservedRun {
  readonly head: Head;
  /** A visible panel shows its session. */
  readonly isSeen: boolean;
}

/**
 * What a click on the item does. It cancels only what works and is on the screen: a run that waits for an
 * approval, or that works out of sight, is shown first.
 */
export function clickOn(runs: readonly ObservedRun[]): 'show' | 'stop' | 'select' {
  if (runs.some(({ head }) => isWaiting(head))) return 'show';
  if (runs.length > 1) return 'select';
  return runs[0]?.isSeen ? 'stop' : 'show';
}

function isWaiting({ approvals }: Head): boolean {
  return approvals.length > 0;
}

/** The status bar item during runs. */
export class RunStatus implements vscode.Disposable {
  readonly #running: () => readonly ObservedRun[];
  readonly #item = vscode.window.createStatusBarItem('harness.run', vscode.StatusBarAlignment.Left);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `running` returns the sessions that have a run. */
  constructor(running: () => readonly ObservedRun[]) {
    this.#running = running;
    this.#item.name = 'Harness';
  }

  /** Call when one of these runs may have changed, or whether it is seen. Redraws later. */
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

  #draw(running: readonly ObservedRun[]): void {
    const [first] = running;
    if (first) this.#show(running, first);
    else this.#item.hide();
  }

  #show(running: readonly ObservedRun[], first: ObservedRun): void {
    const waiting = running.filter(({ head }) => isWaiting(head)).length;
    const what = running.length === 1 ? describe(first.head) : describeAll(running.length, waiting);
    const click = clickOn(running);
    this.#item.text = `${waiting > 0 ? '$(bell)' : '$(sync~spin)'} Harness: ${withoutIcons(what)}`;
    this.#item.command = click === 'show' ? 'harness.showRun' : 'harness.cancel';
    this.#item.tooltip = tooltip(click, waiting > 0);
    this.#item.accessibilityInformation = { label: pressLabel(what, click), role: 'button' };
    this.#item.backgroundColor =
      waiting > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }
}

function tooltip(click: ReturnType<typeof clickOn>, isWaiting: boolean): string {
  if (isWaiting) return vscode.l10n.t('Harness waits for your approval. Click to show it.');
  if (click === 'show') return vscode.l10n.t('Harness is working. Click to show the session.');
  return click === 'stop'
    ? vscode.l10n.t('Harness is working. Click to stop.')
    : vscode.l10n.t('Harness is working. Click to select a run to stop.');
}

function pressLabel(what: string, click: ReturnType<typeof clickOn>): string {
  if (click === 'show') return vscode.l10n.t('Harness: {0}. Press to show the session.', what);
  return click === 'stop'
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
