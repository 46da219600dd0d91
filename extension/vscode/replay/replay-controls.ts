import * as vscode from 'vscode';
import {
  type PlaybackSpeed,
  type PlaybackStart,
  SteeredPace,
} from '../../core/recording/replay/steered-pace.ts';
import { systemClock } from '../../node/system-clock.ts';

interface Action extends vscode.QuickPickItem {
  act(): void;
}

const SPEEDS: readonly PlaybackSpeed[] = [
  { speed: 1 },
  { speed: 1, isShortened: true },
  { speed: 4, isShortened: true },
  { speed: 16, isShortened: true },
  { speed: Number.POSITIVE_INFINITY },
];

/** Asks the user how the replay begins. Resolves with undefined if the user cancels. */
export async function chooseStart(): Promise<PlaybackStart | undefined> {
  const starts: (vscode.QuickPickItem & PlaybackStart)[] = [
    ...SPEEDS.map((speed) => ({ ...itemOf(speed), ...speed })),
    { label: vscode.l10n.t('$(debug-step-over) Event by Event'), speed: 1, isPaused: true },
  ];
  return vscode.window.showQuickPick(starts, {
    title: vscode.l10n.t('Replay Session'),
    placeHolder: vscode.l10n.t('Select a replay speed'),
  });
}

/** A status bar item that shows the speed of the replay and lets the user change it. */
export class ReplayControls implements vscode.Disposable {
  /** The controls of the running replay. */
  static current: ReplayControls | undefined;
  readonly pace: SteeredPace;
  readonly #item = vscode.window.createStatusBarItem('harness.replay', vscode.StatusBarAlignment.Left);
  readonly #ended = new vscode.CancellationTokenSource();

  constructor(start: PlaybackStart) {
    this.pace = new SteeredPace(systemClock, start);
    this.#item.name = vscode.l10n.t('Harness: Replay');
    this.#item.command = 'harness.replayControls';
    this.#item.tooltip = vscode.l10n.t('Pause, step through, change the speed or stop');
    this.#show();
    this.#item.show();
    ReplayControls.current?.pace.stop();
    ReplayControls.current = this;
    void vscode.commands.executeCommand('setContext', 'harness.replaying', true);
  }

  /** Asks the user what to do with the replay. Asks again after a step. */
  async choose(): Promise<void> {
    const { pace } = this;
    const step: Action = {
      label: vscode.l10n.t('$(debug-step-over) Next Event'),
      act: () => pace.step(),
    };
    const actions: Action[] = [
      ...(pace.isPaused
        ? [step, { label: vscode.l10n.t('$(play) Continue'), act: () => pace.play() }]
        : [{ label: vscode.l10n.t('$(debug-pause) Pause'), act: () => pace.pause() }, step]),
      ...SPEEDS.map((speed) => ({ ...itemOf(speed), act: () => pace.play(speed) })),
      { label: vscode.l10n.t('$(debug-stop) Stop'), act: () => pace.stop() },
    ];
    const placeHolder = vscode.l10n.t('Replay: {0}', this.#words);
    // A user who steps through events may also use the panel, so the list stays open when it loses the focus.
    const options = { placeHolder, ignoreFocusOut: pace.isPaused };
    const picked = await vscode.window.showQuickPick(actions, options, this.#ended.token);
    picked?.act();
    this.#show();
    if (picked === step) await this.choose();
  }

  dispose(): void {
    this.#item.dispose();
    this.#ended.cancel();
    this.#ended.dispose();
    if (ReplayControls.current !== this) return;
    ReplayControls.current = undefined;
    void vscode.commands.executeCommand('setContext', 'harness.replaying', false);
  }

  get #words(): string {
    return this.pace.isPaused ? vscode.l10n.t('paused') : speedWords(this.pace.speed);
  }

  #show(): void {
    this.#item.text = vscode.l10n.t('$(history) Replay: {0}', this.#words);
  }
}

function itemOf(speed: PlaybackSpeed): vscode.QuickPickItem {
  const label = `$(dashboard) ${speedWords(speed)}`;
  return speed.isShortened ? { label, description: vscode.l10n.t('pauses capped at 3 seconds') } : { label };
}

function speedWords({ speed }: PlaybackSpeed): string {
  if (!Number.isFinite(speed)) return vscode.l10n.t('maximum speed');
  return speed === 1 ? vscode.l10n.t('original speed') : vscode.l10n.t('{0}× speed', speed);
}
