import * as vscode from 'vscode';
import type { Logger } from '../../core/ports/logger.ts';
import {
  onDidChangeSettings,
  readSetting,
  type SettingName,
  type SettingProblem,
  settingNames,
  settingProblems,
} from './settings.ts';

/**
 * Warns the user about invalid values, and about a change that needs a reload. Checks at the start and after
 * each change of a setting.
 */
export class SettingNotices implements vscode.Disposable {
  readonly #logger: Logger;
  readonly #listening: vscode.Disposable;
  /** The invalid value of the last warning, as JSON. */
  readonly #reported = new Map<SettingName, string>();
  /** In use until the window is reloaded. */
  readonly #storagePath = readSetting('storagePath');
  #newStoragePath = this.#storagePath;

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#listening = onDidChangeSettings(() => this.#look());
    this.#look();
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #look(): void {
    const problems = new Map(settingProblems().map((problem) => [problem.name, problem]));
    for (const name of settingNames) this.#lookAt(name, problems.get(name));
    const path = readSetting('storagePath');
    if (path !== this.#newStoragePath && path !== this.#storagePath) void offerReload();
    this.#newStoragePath = path;
  }

  #lookAt(name: SettingName, problem: SettingProblem | undefined): void {
    const value = problem ? JSON.stringify(problem.value) : '';
    if (problem && value !== this.#reported.get(name)) this.#showProblem(problem);
    this.#reported.set(name, value);
  }

  #showProblem({ name, message }: SettingProblem): void {
    this.#logger.warn(message);
    void offerSettings(name, message);
  }
}

async function offerSettings(name: SettingName, message: string): Promise<void> {
  const open = vscode.l10n.t('Open Settings');
  if ((await vscode.window.showWarningMessage(message, open)) !== open) return;
  await vscode.commands.executeCommand('workbench.action.openSettings', `harness.${name}`);
}

async function offerReload(): Promise<void> {
  const reload = vscode.l10n.t('Reload Window');
  const message = vscode.l10n.t('Reload the window to store Harness files in the new folder.');
  if ((await vscode.window.showInformationMessage(message, reload)) !== reload) return;
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
