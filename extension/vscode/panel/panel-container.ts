import * as vscode from 'vscode';
import { plural } from '../base/localize.ts';
import type { PanelHolder } from './panel-channel.ts';

/** Where a panel is: the view in the side bar, or an editor tab. */
export interface PanelContainer extends PanelHolder {
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly onDidDispose: vscode.Event<unknown>;
  /** The title of its session; empty where none has begun. */
  showTitle(title: string): void;
  /** How many approvals of this window wait. */
  showWaiting(count: number): void;
  /**
   * Lets VS Code make its frame anew, in a process that lives: a frame whose process has died shows nothing that is written
   * into it. What VS Code keeps of the page's state stays.
   */
  renew(): void;
}

/** The view's name in package.json. */
const VIEW = vscode.l10n.t('Chat');
const TAB = 'Harness';

export function inSideBar(view: vscode.WebviewView): PanelContainer {
  return place(view, {
    // Beside a view that is alone in its place, VS Code shows no description.
    showTitle: (title) => {
      view.title = title || VIEW;
    },
    showWaiting: (count) => {
      const tooltip = plural(count, 'Harness waits for your approval', 'Harness waits for {0} approvals');
      view.badge = count > 0 ? { value: count, tooltip } : undefined;
    },
    // Together, so that it cannot stay hidden.
    renew: () => {
      for (const _ of ['hide', 'show'])
        void vscode.commands.executeCommand(`${view.viewType}.toggleVisibility`);
    },
  });
}

export function inTab(panel: vscode.WebviewPanel): PanelContainer {
  return place(panel, {
    showTitle: (title) => {
      panel.title = title || TAB;
    },
    // A tab has no badge; the side bar's counts for all.
    showWaiting: () => {},
    renew: () => cover(panel),
  });
}

/** What VS Code has two names for. */
function place(
  holder: vscode.WebviewView | vscode.WebviewPanel,
  ways: Pick<PanelContainer, 'showTitle' | 'showWaiting' | 'renew'>,
): PanelContainer {
  return {
    ...ways,
    webview: holder.webview,
    get visible() {
      return holder.visible;
    },
    onDidChangeVisibility:
      'onDidChangeVisibility' in holder ? holder.onDidChangeVisibility : holder.onDidChangeViewState,
    onDidDispose: holder.onDidDispose,
  };
}

/** VS Code drops the page of a tab that is covered by another one. */
function cover(panel: vscode.WebviewPanel): void {
  const { viewColumn = vscode.ViewColumn.Active, title } = panel;
  const above = vscode.window.createWebviewPanel('harness.cover', title, { viewColumn, preserveFocus: true });
  const listening = vscode.Disposable.from(
    panel.onDidChangeViewState(() => !panel.visible && above.dispose()),
    panel.onDidDispose(() => above.dispose()),
  );
  above.onDidDispose(() => listening.dispose());
}
