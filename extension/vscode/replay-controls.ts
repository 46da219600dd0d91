import * as vscode from 'vscode';
import type { Entry } from '../core/recording/entry.ts';
import { atSpeed, type Pace } from '../core/recording/pace.ts';
import { systemClock } from '../node/system-clock.ts';

/** The user does not want to see the rest. */
export class ReplayStopped extends Error {}

const SPEEDS = [1, 4, 16, Number.POSITIVE_INFINITY];

/** How fast a session is played back, and an item of the status bar that shows it and lets the user change it. */
export class ReplayControls implements vscode.Disposable {
  /** Of the playback that is on. */
  static current: ReplayControls | undefined;
  readonly #item = vscode.window.createStatusBarItem('harness.replay', vscode.StatusBarAlignment.Left);
  readonly #pace: Pace;
  #speed: number;
  #isPaused = false;
  #isStopped = false;
  /** Events that are still let through while it is paused. */
  #steps = 0;
  #wake = () => {};

  constructor(speed: number) {
    this.#speed = speed;
    this.#pace = atSpeed(systemClock, () => this.#speed);
    this.#item.name = vscode.l10n.t('Harness: Replay');
    this.#item.command = 'harness.replayControls';
    this.#item.show();
    this.#show();
    ReplayControls.current?.stop();
    ReplayControls.current = this;
    void vscode.commands.executeCommand('setContext', 'harness.replaying', true);
  }

  /** Rejects with `ReplayStopped`. */
  readonly pace = async (entry: Entry): Promise<void> => {
    const isStep = entry.kind === 'start' && entry.name === 'log.append';
    while (this.#isPaused && !this.#isStopped && !(isStep && this.#steps > 0))
      if (isStep) await this.#woken();
      else break;
    if (isStep && this.#isPaused) this.#steps -= 1;
    if (!this.#isPaused) await this.#pace(entry);
    if (this.#isStopped) throw new ReplayStopped();
  };

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Asks what to do with it. */
  async choose(): Promise<void> {
    const actions: (vscode.QuickPickItem & { act(): void })[] = [
      this.#isPaused
        ? { label: vscode.l10n.t('$(play) Go On'), act: () => this.#pause(false) }
        : { label: vscode.l10n.t('$(debug-pause) Pause'), act: () => this.#pause(true) },
      { label: vscode.l10n.t('$(debug-step-over) Next Event'), act: () => this.#step() },
      ...SPEEDS.map((speed) => ({
        label: `$(dashboard) ${speedWords(speed)}`,
        act: () => this.#setSpeed(speed),
      })),
      { label: vscode.l10n.t('$(debug-stop) Stop'), act: () => this.stop() },
    ];
    const placeHolder = vscode.l10n.t('The replay: {0}', this.#words);
    (await vscode.window.showQuickPick(actions, { placeHolder }))?.act();
  }

  dispose(): void {
    this.#item.dispose();
    if (ReplayControls.current !== this) return;
    ReplayControls.current = undefined;
    void vscode.commands.executeCommand('setContext', 'harness.replaying', false);
  }

  get #words(): string {
    return this.#isPaused ? vscode.l10n.t('paused') : speedWords(this.#speed);
  }

  #pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#wake();
    this.#show();
  }

  #step(): void {
    this.#steps += 1;
    this.#pause(true);
  }

  #setSpeed(speed: number): void {
    this.#speed = speed;
    this.#pause(false);
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #show(): void {
    this.#item.text = vscode.l10n.t('$(history) Replay: {0}', this.#words);
    this.#item.tooltip = vscode.l10n.t('Pause, step, speed and stop');
  }
}

function speedWords(speed: number): string {
  if (!Number.isFinite(speed)) return vscode.l10n.t('as fast as possible');
  return speed === 1 ? vscode.l10n.t('as fast as it was') : vscode.l10n.t('{0} times as fast', speed);
}
