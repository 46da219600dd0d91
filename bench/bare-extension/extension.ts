// A minimal agent extension: a view with an input, and a command that runs the loop.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

const VIEW = 'bare.chat';
/** Milliseconds for which text is collected, because each message to a page is expensive. */
const FRAME = 16;

let page: vscode.Webview | undefined;
let gathered = '';

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
  webview.onDidReceiveMessage(ask);
}

async function ask(prompt: string): Promise<void> {
  await vscode.commands.executeCommand(`${VIEW}.focus`);
  const { runLoop } = await import('./loop.ts');
  await runLoop({
    baseURL: process.env.ANTHROPIC_BASE_URL ?? '',
    folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '',
    prompt,
    onText: show,
  });
}

function show(text: string): void {
  if (gathered === '') setTimeout(post, FRAME);
  gathered += text;
}

function post(): void {
  void page?.postMessage(gathered);
  gathered = '';
}

function html(): string {
  const nonce = randomBytes(16).toString('hex');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'">
<title>Bare</title>
<style nonce="${nonce}">
#conversation { height: 80vh; overflow: auto; white-space: pre-wrap; }
</style>
</head>
<body>
<div id="conversation"></div>
<textarea aria-label="Ask"></textarea>
<script nonce="${nonce}">
const { postMessage } = acquireVsCodeApi();
const conversation = document.getElementById('conversation');
const input = document.querySelector('textarea');
let paragraph;

input.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  conversation.replaceChildren();
  paragraph = undefined;
  postMessage(input.value);
  input.value = '';
});

addEventListener('message', ({ data }) => {
  // A new one now and then, since laying out a single one grows with its length.
  if (!paragraph || paragraph.textContent.length > 2000) {
    paragraph = document.createElement('p');
    conversation.append(paragraph);
  }
  paragraph.append(data);
  conversation.scrollTop = conversation.scrollHeight;
});
</script>
</body>
</html>`;
}
