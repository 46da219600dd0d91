// What VS Code loads at start: nothing but registrations. The rest (host.ts) is loaded when it is first needed.
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
  let tellStarted: (host: Host) => void;
  /** Also at a later attempt. */
  const started = new Promise<Host>((resolve) => {
    tellStarted = resolve;
  });
  const load = (): Promise<Host> => {
    if (host) return host;
    host = import('./host.ts').then(({ createHost }) => createHost(context, { changes }));
    host.then(tellStarted, (error: unknown) => reportFailure(error, load));
    return host;
  };
  const changes: vscode.TreeView<ChangeNode> = createLazyTree(
    CHANGES_VIEW,
    load,
    started.then((loaded) => loaded.changes),
  );
  const register = (id: string, run: (host: Host, args: readonly unknown[]) => Promise<unknown>) =>
    context.subscriptions.push(
      // VS Code shows why a command has failed.
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

  /** Shows a page, and hands it to the host as soon as that is there. */
  async function show(
    { webview, onDidDispose }: vscode.WebviewView | vscode.WebviewPanel,
    attach: (host: Host, early: readonly unknown[]) => unknown,
  ): Promise<void> {
    // The page asks for its content as soon as it stands, which may be before the host is loaded.
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

/** Gives the sessions back, so that another window can write it. */
export async function deactivate(): Promise<void> {
  await (await host)?.dispose();
}

/** Milliseconds. A page takes longer until it asks for its content, and would share the processor with a host that loads. */
const HEAD_START = 80;

/** VS Code sends what it was given when this turn of the event loop is over, and then the page is made, which the user waits for. */
function afterSending(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, HEAD_START));
}

async function reportFailure(error: unknown, load: () => unknown): Promise<void> {
  host = undefined;
  const retry = vscode.l10n.t('Retry');
  const problem = vscode.l10n.t('Harness could not start: {0}', errorMessage(error));
  if ((await vscode.window.showErrorMessage(problem, retry)) === retry) load();
}
