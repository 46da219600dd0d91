// The process of the panel's page dies, as it may on the desktop, where memory is short.
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openFile, runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { type RunningVsCode, startWorkbench } from '../../scripts/lib/vscode/server.mjs';
import { makeGate } from '../support/gate.ts';
import { type OwnProcessWindow, openOwnProcessWindow } from '../support/vscode/own-process.ts';
import { draftIsStored } from '../support/vscode/stored-session.ts';
import { useClaude, words } from '../support/vscode/use-claude.ts';
import { API_KEY } from '../support/vscode/use-harness.ts';

const claude = await useClaude();
let vscode: RunningVsCode;
let window: OwnProcessWindow;

// What has crashed once is of no more use, and the host of a window that is closed keeps its session for a while.
beforeEach(async () => {
  const env = { ANTHROPIC_BASE_URL: claude.url, ANTHROPIC_API_KEY: API_KEY };
  vscode = await startWorkbench({ name: 'browser-crash', env, files: { 'notes.txt': 'as it was\n' } });
  onTestFinished(() => vscode.stop());
  window = await openOwnProcessWindow(vscode.url);
  onTestFinished(() => window.close());
});

const drafts = () => window.read((page) => page.querySelector('textarea')?.value);
const answers = () =>
  window.read((page) => page.querySelector('[data-part="text"]:last-of-type')?.textContent?.trim());

async function keepDraft(panel: OwnProcessWindow['sideBar'], draft: string): Promise<void> {
  await panel.input.fill(draft);
  await draftIsStored(vscode.harnessHome, draft);
}

test('view and tab of a run come back by themselves, and have lost nothing', async () => {
  const rest = makeGate();
  claude.says({ ...words('one, two'), chunkSize: 5, hold: { after: 1, until: rest.opened } });
  await window.sideBar.ask('Count to two');
  await window.sideBar.saying('text', 'one,').waitFor();
  await runCommand(window.page, 'Harness: Open in Editor Tab');
  await window.tab.saying('text', 'one,').waitFor();
  await keepDraft(window.tab, 'a draft');
  await window.crash();
  await expect.poll(drafts).toEqual([]);
  rest.open();
  await expect.poll(drafts).toEqual(['a draft', 'a draft']);
  await expect.poll(answers).toEqual(['one, two', 'one, two']);
});

test('a view that dies while nothing happens comes back when the user turns to the editor', async () => {
  await openFile(window.page, 'notes.txt');
  await keepDraft(window.sideBar, 'a draft');
  await window.crash();
  await expect.poll(drafts).toEqual([]);
  await window.click('.monaco-editor .view-line');
  await expect.poll(drafts).toEqual(['a draft']);
});
