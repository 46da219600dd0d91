import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../core/ports/approver.ts';
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

/** What the user is waited for. A question of the agent is no approval. */
export type Awaited = 'approval' | 'question' | 'both' | 'nothing';

export function awaitedBy(calls: readonly Pick<ApprovalRequest, 'options'>[]): Awaited {
  const questions = calls.filter(({ options }) => options !== undefined).length;
  if (calls.length === 0) return 'nothing';
  if (questions === 0) return 'approval';
  return questions === calls.length ? 'question' : 'both';
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
    const awaited = awaitedBy(running.flatMap(({ head }) => head.approvals));
    const what = running.length === 1 ? describe(first.head) : describeAll(running.length, waiting, awaited);
    const click = clickOn(running);
    this.#item.text = `${waiting > 0 ? '$(bell)' : '$(sync~spin)'} Harness: ${withoutIcons(what)}`;
    this.#item.command = click === 'show' ? 'harness.showRun' : 'harness.cancel';
    this.#item.tooltip = tooltip(click, awaited);
    this.#item.accessibilityInformation = { label: pressLabel(what, click), role: 'button' };
    this.#item.backgroundColor =
      waiting > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }
}

function tooltip(click: ReturnType<typeof clickOn>, awaited: Awaited): string {
  if (awaited === 'question') return vscode.l10n.t('Harness has a question for you. Click to show it.');
  if (awaited !== 'nothing') return vscode.l10n.t('Harness waits for your approval. Click to show it.');
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
  if (approvals.length > 0) return describeAwaited(awaitedBy(approvals));
  if (retry) return vscode.l10n.t('waiting to try again');
  return run.message || vscode.l10n.t('working');
}

export function describeAwaited(awaited: Awaited): string {
  return awaited === 'question'
    ? vscode.l10n.t('has a question for you')
    : vscode.l10n.t('needs your approval');
}

function describeAll(running: number, waiting: number, awaited: Awaited): string {
  const runs = vscode.l10n.t('{0} running', running);
  return waiting === 0 ? runs : `${runs}, ${describeWaiting(waiting, awaited)}`;
}

function describeWaiting(runs: number, awaited: Awaited): string {
  if (awaited === 'question') return plural(runs, '{0} has a question for you', '{0} have questions for you');
  if (awaited === 'both') return plural(runs, '{0} waits for you', '{0} wait for you');
  return plural(runs, '{0} needs your approval', '{0} need your approval');
}

/** Breaks up `$(name)`, which VS Code would draw as an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
