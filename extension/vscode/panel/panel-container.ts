import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../core/ports/approver.ts';
import { plural } from '../base/localize.ts';
import { awaitedBy } from '../sessions/run-status.ts';
import type { PanelHolder } from './panel-channel.ts';

/** The place of a panel: the view in the side bar, or an editor tab. */
export interface PanelContainer extends PanelHolder {
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly onDidDispose: vscode.Event<unknown>;
  /** `title` is the title of the panel's session. Empty if no session has begun. */
  showTitle(title: string): void;
  /** The approvals and questions that wait in this window. */
  showWaiting(calls: readonly Pick<ApprovalRequest, 'options'>[]): void;
  /**
   * Makes VS Code create the page's frame again, in a live process. A frame whose process has crashed shows
   * nothing that is written into it. VS Code keeps the page's stored state.
   */
  renew(): void;
}

/** The view's name in package.json. */
const VIEW = vscode.l10n.t('Chat');
const TAB = 'Harness';

export function inSideBar(view: vscode.WebviewView): PanelContainer {
  return place(view, {
    // VS Code shows no description for a view that is alone in its container.
    showTitle: (title) => {
      view.title = title || VIEW;
    },
    showWaiting: (calls) => {
      view.badge = calls.length > 0 ? { value: calls.length, tooltip: waitingTooltip(calls) } : undefined;
    },
    // Sends both without waiting in between, so that the view cannot stay hidden.
    renew: () => {
      for (const _ of ['hide', 'show'])
        void vscode.commands.executeCommand(`${view.viewType}.toggleVisibility`);
    },
  });
}

function waitingTooltip(calls: readonly Pick<ApprovalRequest, 'options'>[]): string {
  const awaited = awaitedBy(calls);
  if (awaited === 'both') return vscode.l10n.t('Harness waits for {0} answers', calls.length);
  return awaited === 'question'
    ? plural(calls.length, 'Harness has a question for you', 'Harness has {0} questions for you')
    : plural(calls.length, 'Harness needs your approval', 'Harness needs {0} approvals');
}

export function inTab(panel: vscode.WebviewPanel): PanelContainer {
  return place(panel, {
    showTitle: (title) => {
      panel.title = title || TAB;
    },
    // A tab has no badge. The side bar's badge counts for all panels.
    showWaiting: () => {},
    renew: () => cover(panel),
  });
}

/** Gives views and tabs one interface, because VS Code names their visibility events differently. */
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

/** Covers a tab for a moment with another one, because VS Code drops the page of a covered tab. */
function cover(panel: vscode.WebviewPanel): void {
  const { viewColumn = vscode.ViewColumn.Active, title } = panel;
  const above = vscode.window.createWebviewPanel('harness.cover', title, { viewColumn, preserveFocus: true });
  const listening = vscode.Disposable.from(
    panel.onDidChangeViewState(() => !panel.visible && above.dispose()),
    panel.onDidDispose(() => above.dispose()),
  );
  above.onDidDispose(() => listening.dispose());
}
