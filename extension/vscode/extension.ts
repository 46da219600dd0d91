// What VS Code loads at start: nothing but registrations. The rest (host.cjs) is loaded when it is first needed.
import * as vscode from 'vscode';
import { chatHtml, pageOptions } from './chat-html.ts';
import { COMMANDS, VIEW_COMMANDS, viewCommand } from './commands.ts';
import { heardError, reasonOf } from './heard.ts';
import type { Host } from './host.ts';
import { offerModels } from './language-models/offer-models.ts';
import { createLateTree } from './late-tree.ts';
import { problemActions } from './problem-actions.ts';
import type { ChangeNode } from './review/changes-tree.ts';
import { TAB_TYPE } from './tab-type.ts';

const VIEW = 'harness.chat';
const CHANGES_VIEW = 'harness.changes';

let host: Promise<Host> | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const load = (): Promise<Host> => {
    host ??= import('./host.ts').then(({ createHost }) => createHost(context, { changes }));
    host.catch(reportFailure);
    return host;
  };
  const changes: vscode.TreeView<ChangeNode> = createLateTree(
    CHANGES_VIEW,
    async () => (await load()).changes,
  );
  const register = (id: string, run: (host: Host, args: readonly unknown[]) => Promise<unknown>) =>
    context.subscriptions.push(
      // VS Code shows why a command has failed.
      vscode.commands.registerCommand(id, (...args: unknown[]) =>
        load()
          .then((loaded) => run(loaded, args))
          .catch((error: unknown) => Promise.reject(heardError(error))),
      ),
    );
  for (const command of COMMANDS) register(command, (loaded, args) => loaded.run(command, args));
  for (const command of VIEW_COMMANDS) register(viewCommand(command), (loaded) => loaded.runInView(command));
  context.subscriptions.push(
    changes,
    vscode.window.registerWebviewPanelSerializer(TAB_TYPE, { deserializeWebviewPanel }),
    vscode.window.registerWebviewViewProvider(VIEW, { resolveWebviewView }),
    offerModels(context.secrets),
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, problemActions, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );

  function resolveWebviewView(view: vscode.WebviewView): void {
    // The page asks for its content as soon as it stands, which may be before the host is loaded.
    const early: unknown[] = [];
    const listening = view.webview.onDidReceiveMessage((message: unknown) => early.push(message));
    view.webview.options = pageOptions(context.extensionUri);
    view.webview.html = chatHtml(view.webview, context.extensionUri);
    const loading = host ? load() : afterSending().then(load);
    loading.then(
      (loaded) => {
        listening.dispose();
        loaded.attach(view, early);
      },
      () => listening.dispose(),
    );
  }

  async function deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const early: unknown[] = [];
    const listening = panel.webview.onDidReceiveMessage((message: unknown) => early.push(message));
    panel.webview.options = pageOptions(context.extensionUri);
    panel.webview.html = chatHtml(panel.webview, context.extensionUri);
    try {
      await (await load()).restoreTab(panel, early, state);
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

function reportFailure(error: unknown): void {
  host = undefined;
  void vscode.window.showErrorMessage(vscode.l10n.t('Harness could not start: {0}', reasonOf(error)));
}
