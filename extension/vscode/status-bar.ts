import * as vscode from 'vscode';

/** Each change crosses to the window, and nobody reads faster. */
const REDRAW_MS = 100;

/** The status bar's item: there while a run is on; a click cancels it. */
export class RunStatus implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('harness.run', vscode.StatusBarAlignment.Left);
  #draw = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#item.name = 'Harness';
    this.#item.command = 'harness.cancel';
    this.#item.tooltip = 'Harness is working. Click to cancel.';
  }

  /** `what` is short: "thinking", "editing date.js". */
  working(what: string): void {
    this.#soon(() => this.#show('$(sync~spin)', what, undefined));
  }

  needsApproval(): void {
    const warning = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#soon(() => this.#show('$(bell)', 'needs your approval', warning));
  }

  idle(): void {
    this.#soon(() => this.#item.hide());
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#item.dispose();
  }

  /** The newest `draw` counts. */
  #soon(draw: () => void): void {
    this.#draw = draw;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, REDRAW_MS);
  }

  #show(icon: string, what: string, color: vscode.ThemeColor | undefined): void {
    this.#item.text = `${icon} Harness: ${withoutIcons(what)}`;
    this.#item.accessibilityInformation = { label: `Harness: ${what}. Press to cancel.`, role: 'button' };
    this.#item.backgroundColor = color;
    this.#item.show();
  }
}

/** `$(name)` would become an icon. */
function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
