import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openFile, runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({
  files: { 'notes.txt': 'old\n', 'typed.txt': '' },
});

const preview = () => workbench.page.locator('.tab', { hasText: 'not applied yet' });
const titleBar = (name: string) =>
  workbench.page.locator('.editor-actions').getByRole('button', { name: new RegExp(`^${name}`) });
const notes = () => readFile(path.join(workbench.vscode.workspace, 'notes.txt'), 'utf8');

async function askForChange(prompt: string, content: string): Promise<void> {
  claude.says(
    call('read', { path: 'notes.txt' }),
    call('write', { path: 'notes.txt', content }),
    words('So be it.'),
  );
  await panel.ask(prompt);
  await preview().waitFor();
}

/** Whether the keyboard's focus is in the panel's page, wherever there. */
const panelHasFocus = () => panel.input.evaluate((node) => node.ownerDocument.hasFocus());

test('the diff’s title bar approves the change, and rejects it', async () => {
  await askForChange('Make it new', 'new\n');
  await titleBar('Approve').click();
  expect((await ended('Make it new')).reason).toBe('done');
  expect(await notes()).toBe('new\n');
  await preview().waitFor({ state: 'detached' });

  await runCommand(workbench.page, 'Harness: New Session');
  await panel.part('user').waitFor({ state: 'detached' });
  await askForChange('Make it newer', 'newer\n');
  await titleBar('Reject').click();
  await ended('Make it newer');
  expect(await notes()).toBe('new\n');
  expect(await panel.tool('write').getAttribute('data-state')).toBe('denied');
  await preview().waitFor({ state: 'detached' });
});

test('the diff’s keys answer for it', async () => {
  await askForChange('Make it short', '\n');
  await preview().click();
  await workbench.page.locator('.editor.modified .view-lines').click();
  await workbench.page.keyboard.press('Control+Enter');
  expect((await ended('Make it short')).reason).toBe('done');
  expect(await notes()).toBe('\n');
});

test('a diff that opens while somebody types takes neither the editor’s place nor a keystroke', async () => {
  const { page } = workbench;
  const gate = makeGate();
  const change = call('write', { path: 'meanwhile.txt', content: 'written\n' });
  claude.says({ ...change, hold: { after: 0, until: gate.opened } }, words('Written.'));
  await panel.ask('Write meanwhile');
  await openFile(page, 'typed.txt');
  await page.locator('.editor-instance .view-lines').click();
  gate.open();
  let typed = '';
  const type = async (text: string) => {
    await page.keyboard.type(text);
    typed += text;
  };
  while ((await preview().count()) === 0) await type('x');
  await type('and on after it came');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(path.join(workbench.vscode.workspace, 'typed.txt'), 'utf8')).toBe(typed);
  expect(await page.locator('.tab.active').getAttribute('data-resource-name')).toBe('typed.txt');
  await panel.card.getByRole('button', { name: /Diff/ }).click();
  await page.locator('.tab.active', { hasText: 'not applied yet' }).waitFor();
  await panel.answer('allow_once');
  expect((await ended('Write meanwhile')).reason).toBe('done');
  await preview().waitFor({ state: 'detached' });
});

test('no diff and no result takes the keyboard from the panel', async () => {
  await askForChange('Make it old', 'old\n');
  expect(await panelHasFocus()).toBe(true);
  await panel.answer('allow_once');
  await ended('Make it old');
  await preview().waitFor({ state: 'detached' });
  expect(await panelHasFocus()).toBe(true);
  await panel.tool('write').getByRole('button', { name: /Diff/ }).click();
  await workbench.page.locator('.tab', { hasText: 'change by Harness' }).waitFor();
  await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'old' }).first().waitFor();
  expect(await panelHasFocus()).toBe(true);
});
