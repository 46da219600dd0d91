import * as vscode from 'vscode';
import { errorMessage } from '../base/localize.ts';
import type { PanelView } from './panel.ts';
import { inTab } from './panel-container.ts';
import { chatHtml, pageOptions, TAB_TYPE } from './panel-html.ts';

interface Tab {
  readonly webview: vscode.WebviewPanel;
  readonly panel: PanelView;
}

/** The panels of a window that are editor tabs. */
export class EditorTabs {
  readonly #extension: vscode.Uri;
  readonly #createPanel: (show: () => Thenable<unknown>) => PanelView;
  readonly #onClose: (panel: PanelView) => void;
  /** The tab that was last in front comes first. */
  #tabs: readonly Tab[] = [];

  /** `createPanel` makes an empty panel. The panel calls `show` to bring its tab to the front. */
  constructor(
    extension: vscode.Uri,
    createPanel: (show: () => Thenable<unknown>) => PanelView,
    onClose: (panel: PanelView) => void,
  ) {
    this.#extension = extension;
    this.#createPanel = createPanel;
    this.#onClose = onClose;
  }

  get panels(): readonly PanelView[] {
    return this.#tabs.map(({ panel }) => panel);
  }

  /** The panel whose tab is the active editor. */
  get active(): PanelView | undefined {
    return this.#tabs.find(({ webview }) => webview.active)?.panel;
  }

  /** Shows a session (a new one if `id` is empty) in its tab, or in a new one. */
  async open(id: string): Promise<void> {
    const there = this.#tabs.find(({ panel }) => id !== '' && panel.sessions.shown.id === id);
    if (there) return there.panel.reveal();
    const tab: Tab = {
      webview: this.#createWebview(),
      panel: this.#createPanel(async () => tab.webview.reveal()),
    };
    const early: unknown[] = [];
    const listening = tab.webview.webview.onDidReceiveMessage((message: unknown) => early.push(message));
    tab.webview.webview.html = chatHtml(tab.webview.webview, this.#extension);
    await this.#show(tab, early, id);
    listening.dispose();
    await tab.panel.reveal();
  }

  /** Shows session `id` in a tab that VS Code restored. `early` collects its page's messages meanwhile. */
  async restore(webview: vscode.WebviewPanel, early: readonly unknown[], id: string): Promise<void> {
    const tab: Tab = { webview, panel: this.#createPanel(async () => webview.reveal()) };
    await this.#show(tab, early, id);
  }

  close(panel: PanelView): void {
    this.#tabs.find((tab) => tab.panel === panel)?.webview.dispose();
  }

  dispose(): void {
    for (const { panel } of this.#tabs) panel.dispose();
  }

  #createWebview(): vscode.WebviewPanel {
    const icon = (theme: string) => vscode.Uri.joinPath(this.#extension, 'media', `icon-${theme}.svg`);
    const options = pageOptions(this.#extension);
    const webview = vscode.window.createWebviewPanel(TAB_TYPE, 'Harness', vscode.ViewColumn.Active, options);
    webview.iconPath = { light: icon('light'), dark: icon('dark') };
    return webview;
  }

  async #show(tab: Tab, early: readonly unknown[], id: string): Promise<void> {
    const { webview, panel } = tab;
    this.#tabs = [tab, ...this.#tabs];
    webview.onDidChangeViewState(() => webview.active && this.#toFront(tab));
    webview.onDidDispose(() => this.#forget(tab));
    if (id !== '') await panel.sessions.show(id).catch(report);
    // The user may have closed the tab meanwhile.
    if (this.#tabs.includes(tab)) panel.attach(inTab(webview), early);
  }

  #toFront(tab: Tab): void {
    this.#tabs = [tab, ...this.#tabs.filter((other) => other !== tab)];
  }

  #forget(tab: Tab): void {
    this.#tabs = this.#tabs.filter((other) => other !== tab);
    this.#onClose(tab.panel);
    tab.panel.dispose();
  }
}

function report(error: unknown): void {
  void vscode.window.showWarningMessage(errorMessage(error));
}
