// VS Code loads this file at start. It only registers. It loads the rest (host.ts) when that is first needed.
import * as vscode from 'vscode';
import { COMMANDS, VIEW_COMMANDS, viewCommand } from './base/command-ids.ts';
import { errorMessage, localizeError } from './base/localize.ts';
import { problemActions } from './commands/problem-actions.ts';
import type { Host } from './host.ts';
import { registerLanguageModels } from './language-models/register-models.ts';
import { createLazyTree } from './lazy-tree.ts';
import { chatHtml, pageOptions, TAB_TYPE } from './panel/panel-html.ts';
import type { ChangeNode } from './review/changes-tree.ts';

const VIEW = 'harness.chat';
const CHANGES_VIEW = 'harness.changes';

let host: Promise<Host> | undefined;

export function activate(context: vscode.ExtensionContext): void {
  let resolveStarted: (host: Host) => void;
  /** Resolves when the host is loaded, also if only a later attempt succeeds. */
  const started = new Promise<Host>((resolve) => {
    resolveStarted = resolve;
  });
  const load = (): Promise<Host> => {
    if (host) return host;
    host = import('./host.ts').then(({ createHost }) => createHost(context, { changes }));
    host.then(resolveStarted, (error: unknown) => reportFailure(error, load));
    return host;
  };
  const changes: vscode.TreeView<ChangeNode> = createLazyTree(
    CHANGES_VIEW,
    load,
    started.then((loaded) => loaded.changes),
  );
  const register = (id: string, run: (host: Host, args: readonly unknown[]) => Promise<unknown>) =>
    context.subscriptions.push(
      // VS Code shows the error of a failed command.
      vscode.commands.registerCommand(id, (...args: unknown[]) =>
        load()
          .then((loaded) => run(loaded, args))
          .catch((error: unknown) => Promise.reject(localizeError(error))),
      ),
    );
  for (const command of COMMANDS) register(command, (loaded, args) => loaded.run(command, args));
  for (const command of VIEW_COMMANDS) register(viewCommand(command), (loaded) => loaded.runInView(command));
  context.subscriptions.push(
    changes,
    vscode.window.registerWebviewPanelSerializer(TAB_TYPE, { deserializeWebviewPanel }),
    vscode.window.registerWebviewViewProvider(VIEW, { resolveWebviewView }),
    registerLanguageModels(context.secrets),
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, problemActions, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );

  function resolveWebviewView(view: vscode.WebviewView): void {
    void show(view, (loaded, early) => loaded.attach(view, early));
    view.onDidChangeVisibility(() => view.visible && void load());
    if (host) void load();
    else void afterSending().then(() => void load());
  }

  function deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    void load();
    return show(panel, (loaded, early) => loaded.restoreTab(panel, early, state));
  }

  /** Shows a page, and gives it to the host when the host is loaded. */
  async function show(
    { webview, onDidDispose }: vscode.WebviewView | vscode.WebviewPanel,
    attach: (host: Host, early: readonly unknown[]) => unknown,
  ): Promise<void> {
    // The page asks for its content when it starts, which may be before the host is loaded.
    const early: unknown[] = [];
    const listening = webview.onDidReceiveMessage((message: unknown) => early.push(message));
    let isThere = true;
    onDidDispose(() => {
      isThere = false;
    });
    webview.options = pageOptions(context.extensionUri);
    webview.html = chatHtml(webview, context.extensionUri);
    const loaded = await started;
    try {
      if (isThere) await attach(loaded, early);
    } finally {
      listening.dispose();
    }
  }
}

/** Closes the sessions, so that another window can write them. */
export async function deactivate(): Promise<void> {
  await (await host)?.dispose();
}

/**
 * Milliseconds. A page takes longer than this to ask for its content. A host that loads meanwhile would share
 * the processor with the page.
 */
const HEAD_START = 80;

/**
 * VS Code sends the HTML at the end of this turn of the event loop, and then makes the page. The user waits
 * for the page.
 */
function afterSending(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, HEAD_START));
}

async function reportFailure(error: unknown, load: () => unknown): Promise<void> {
  host = undefined;
  const retry = vscode.l10n.t('Retry');
  const problem = vscode.l10n.t('Harness could not start: {0}', errorMessage(error));
  if ((await vscode.window.showErrorMessage(problem, retry)) === retry) load();
}
