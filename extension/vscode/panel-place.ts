import * as vscode from 'vscode';
import type { PanelHolder } from './panel-channel.ts';
import { plural } from './plural.ts';

/** Where a panel is: the view in the side bar, or an editor tab. */
export interface PanelPlace extends PanelHolder {
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly onDidDispose: vscode.Event<unknown>;
  /** The title of its session; empty where none has begun. */
  showTitle(title: string): void;
  /** How many approvals of this window wait. */
  showWaiting(count: number): void;
}

/** The view's name in package.json. */
const VIEW = vscode.l10n.t('Chat');
const TAB = 'Harness';

export function inSideBar(view: vscode.WebviewView): PanelPlace {
  return {
    webview: view.webview,
    get visible() {
      return view.visible;
    },
    onDidChangeVisibility: view.onDidChangeVisibility,
    onDidDispose: view.onDidDispose,
    // Beside a view that is alone in its place, VS Code shows no description.
    showTitle: (title) => {
      view.title = title || VIEW;
    },
    showWaiting: (count) => {
      const tooltip = plural(count, 'Harness waits for your approval', 'Harness waits for {0} approvals');
      view.badge = count > 0 ? { value: count, tooltip } : undefined;
    },
  };
}

export function inTab(panel: vscode.WebviewPanel): PanelPlace {
  return {
    webview: panel.webview,
    get visible() {
      return panel.visible;
    },
    onDidChangeVisibility: panel.onDidChangeViewState,
    onDidDispose: panel.onDidDispose,
    showTitle: (title) => {
      panel.title = title || TAB;
    },
    // A tab has no badge; the side bar's counts for all.
    showWaiting: () => {},
  };
}
