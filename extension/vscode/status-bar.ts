import * as vscode from 'vscode';

/** The status bar's item: there while a run is on; a click cancels it. */
export class RunStatus implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('harness.run', vscode.StatusBarAlignment.Left);

  constructor() {
    this.#item.name = 'Harness';
    this.#item.command = 'harness.cancel';
    this.#item.tooltip = 'Harness is working. Click to cancel.';
  }

  /** `what` is short: "thinking", "editing date.js". */
  working(what: string): void {
    this.#show('$(sync~spin)', what);
    this.#item.backgroundColor = undefined;
  }

  needsApproval(): void {
    this.#show('$(bell)', 'needs your approval');
    this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
  }

  idle(): void {
    this.#item.hide();
  }

  dispose(): void {
    this.#item.dispose();
  }

  #show(icon: string, what: string): void {
    this.#item.text = `${icon} Harness: ${withoutIcons(what)}`;
    this.#item.accessibilityInformation = { label: `Harness: ${what}. Press to cancel.`, role: 'button' };
    this.#item.show();
  }
}

/** `$(name)` would become an icon. */
function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
