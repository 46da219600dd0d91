import * as vscode from 'vscode';
import { inTab } from '../../../extension/vscode/panel/panel-container.ts';
import { closeEditors } from './files.ts';
import { afterTest, eventually, test } from './runner.ts';

const PAGE = '<script>acquireVsCodeApi().postMessage("stands");</script>';

/** The labels of all tabs that hold a page. */
const pages = () =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview)
    .map(({ label }) => label);

/** A tab of which the pages that come are counted. */
function openTab(): { readonly panel: vscode.WebviewPanel; stood(): number } {
  const options = { enableScripts: true };
  const panel = vscode.window.createWebviewPanel('harness.test', 'A page', vscode.ViewColumn.One, options);
  let count = 0;
  panel.webview.onDidReceiveMessage(() => {
    count += 1;
  });
  panel.webview.html = PAGE;
  return { panel, stood: () => count };
}

test('panel place: the page of a tab is made anew, and nothing else is left', async () => {
  const { panel, stood } = openTab();
  await eventually('the page stands', () => stood() === 1);
  inTab(panel).renew();
  await eventually('another page stands', () => stood() === 2);
  await eventually('the tab is in front again, alone', () => panel.active && pages().length === 1);
  panel.dispose();
  await eventually('it is closed', () => pages().length === 0);
});

test('panel place: a tab that is closed while its page is made anew leaves nothing behind', async () => {
  afterTest(closeEditors);
  const { panel, stood } = openTab();
  await eventually('the page stands', () => stood() === 1);
  inTab(panel).renew();
  panel.dispose();
  // What came before was done before.
  const after = openTab();
  await eventually('the next tab stands', () => after.stood() === 1);
  after.panel.dispose();
  await eventually('no page is left', () => pages().length === 0);
});
