import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { SAID } from '../base/localizer.ts';

/** Allows the page's scripts, and limits where the page may load from. */
export function pageOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')],
  };
}

/** The page's HTML. It has no inline code or style, and loads nothing from outside the extension. */
export function chatHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(24).toString('base64');
  const file = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // The toolkit adopts its style sheets with the nonce that it finds in the meta element below.
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.l10n.bundle ? vscode.env.language : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file('app.css')}">
<title>Harness</title>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="l10n">${words()}</script>
<script nonce="${nonce}" type="module" src="${file('main.js')}"></script>
</body>
</html>`;
}

/**
 * The bundle of the display language as JSON that cannot end its element. Empty for English. Leaves out the
 * sentences of `say`, because the host localizes them for the page.
 */
function words(): string {
  if (!vscode.l10n.bundle) return '';
  const own = Object.entries(vscode.l10n.bundle).filter(([key]) => !key.endsWith(SAID));
  return JSON.stringify(Object.fromEntries(own)).replaceAll('<', '\\u003c');
}

/** The type by which VS Code knows our editor tabs and restores them. package.json names it, too. */
export const TAB_TYPE = 'harness.chat.editor';
