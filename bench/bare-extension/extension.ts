// The least that an agent's extension can be: a view with an input, and a command that runs the loop.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

const VIEW = 'bare.chat';

let page: vscode.Webview | undefined;

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider(VIEW, { resolveWebviewView }),
    vscode.commands.registerCommand('bare.ask', ask),
  );
}

function resolveWebviewView({ webview }: vscode.WebviewView): void {
  page = webview;
  webview.options = { enableScripts: true };
  webview.html = html();
}

async function ask(prompt: string): Promise<void> {
  await vscode.commands.executeCommand(`${VIEW}.focus`);
  const { runLoop } = await import('./loop.ts');
  await runLoop({
    baseURL: process.env.ANTHROPIC_BASE_URL ?? '',
    folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '',
    prompt,
    onText: (text) => void page?.postMessage(text),
  });
}

function html(): string {
  const nonce = randomBytes(16).toString('hex');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'">
<title>Bare</title>
</head>
<body>
<p id="conversation"></p>
<textarea aria-label="Ask"></textarea>
<script nonce="${nonce}">
const conversation = document.getElementById('conversation');
addEventListener('message', ({ data }) => conversation.append(data));
</script>
</body>
</html>`;
}
