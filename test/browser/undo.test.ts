import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFile } from '../../scripts/lib/vscode/browser.mjs';
import { runCommandByKeys } from '../support/vscode/keyboard.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({
  settings: { 'harness.permissions.mode': 'bypass', 'files.autoSave': 'off' },
});

const title = (text: string) => workbench.page.locator('.quick-input-title', { hasText: text });
const rows = () => workbench.page.locator('.quick-input-list .monaco-list-row');
const row = (text: string) => rows().filter({ hasText: text });
const at = (name: string) => join(workbench.vscode.workspace, name);
const onDisk = (name: string) => readFile(at(name), 'utf8').catch(() => undefined);

/** Goes down the list with keys to the row with this text, and takes it. */
async function choose(text: string): Promise<void> {
  await row(text).first().waitFor();
  while (!(await row(text).first().getAttribute('class'))?.includes('focused'))
    await workbench.page.keyboard.press('ArrowDown');
  await workbench.page.keyboard.press('Enter');
}

test('with the keyboard alone: before a prompt, files and conversation, decided on for each file, and redone', async () => {
  const { page } = workbench;
  await writeFile(at('fable.txt'), 'A fox\n');
  await writeFile(at('moral.txt'), 'None\n');
  claude.says(
    call('bash', { command: "printf 'A hare\\n' > fable.txt; echo sour > grapes.txt" }),
    call('read', { path: 'moral.txt' }),
    call('write', { path: 'moral.txt', content: 'Be quick\n' }),
    words('The fable is told.'),
  );
  await panel.ask('Tell a fable');
  expect((await ended('Tell a fable')).reason).toBe('done');
  expect(await onDisk('fable.txt')).toBe('A hare\n');
  await writeFile(at('moral.txt'), 'Be slow\n');

  await runCommandByKeys(page, 'Harness: Restore Checkpoint…');
  await title('Restore Checkpoint').waitFor();
  expect(await row('Tell a fable').textContent()).toContain('3 files');
  await choose('Tell a fable');
  await title('Restore to Before This Prompt').waitFor();
  await choose('Files and Conversation');
  await title('Restore Checkpoint: Preview').waitFor();
  expect(await row('fable.txt').textContent()).toContain('restored');
  expect(await row('grapes.txt').textContent()).toContain('deleted');
  expect(await row('moral.txt').textContent()).toContain('you have changed it since');
  await choose('moral.txt');
  await choose('Compare');
  await page.locator('.monaco-diff-editor .view-line', { hasText: 'Be slow' }).first().waitFor();
  await panel.input.click();
  await page.locator('.quick-input-box input').click();
  await choose('moral.txt');
  await choose('Restore and Undo My Changes');
  await title('Restore Checkpoint: Preview').waitFor();
  expect(await onDisk('fable.txt'), 'nothing is done yet').toBe('A hare\n');
  await page.keyboard.press('Enter');
  await page.locator('.notification-toast', { hasText: '3 files identical to checkpoint' }).waitFor();
  expect([await onDisk('fable.txt'), await onDisk('grapes.txt'), await onDisk('moral.txt')]).toEqual([
    'A fox\n',
    undefined,
    'None\n',
  ]);
  await panel.part('user').waitFor({ state: 'detached' });

  await runCommandByKeys(page, 'Harness: Redo');
  await panel.saying('user', 'Tell a fable').waitFor();
  await expect.poll(() => onDisk('moral.txt')).toBe('Be slow\n');
  expect([await onDisk('fable.txt'), await onDisk('grapes.txt')]).toEqual(['A hare\n', 'sour\n']);
});

test('what a file was and you have changed is decided on; what goes beside it comes back with Redo', async () => {
  const { page } = workbench;
  await writeFile(at('owl.txt'), 'An owl\n');
  claude.says(
    call('bash', { command: 'mkdir roost; cp owl.txt roost/egg.txt; echo Two > owl.txt' }),
    words('It has laid an egg.'),
  );
  await panel.ask('Let it breed');
  expect((await ended('Let it breed')).reason).toBe('done');
  await writeFile(at('owl.txt'), 'Mine\n');

  await runCommandByKeys(page, 'Harness: Restore Checkpoint…');
  await title('Restore Checkpoint').waitFor();
  await choose('Let it breed');
  await title('Restore to Before This Prompt').waitFor();
  await choose('Files');
  await title('Restore Checkpoint: Preview').waitFor();
  await row('Harness keeps what a restore removes. Redo brings it back.').waitFor();
  await row('egg.txt').filter({ hasText: 'deleted' }).waitFor();
  await choose('owl.txt');
  await choose('Restore and Undo My Changes');
  await row('owl.txt').filter({ hasText: 'your changes are undone' }).waitFor();
  await choose('Restore');
  await page.locator('.notification-toast', { hasText: '2 files identical to checkpoint' }).waitFor();
  expect([await onDisk('owl.txt'), await onDisk('roost/egg.txt')]).toEqual(['An owl\n', undefined]);

  await runCommandByKeys(page, 'Harness: Redo');
  await expect.poll(() => onDisk('roost/egg.txt')).toBe('An owl\n');
  expect(await onDisk('owl.txt')).toBe('Mine\n');
  await runCommandByKeys(page, 'Notifications: Clear All Notifications');
});

test('from the button over the panel: what came of it stands in the conversation, is read out, and its toast takes it back', async () => {
  const { page } = workbench;
  claude.says(
    call('bash', { command: 'for part in $(seq 42); do echo $part > part-$part.txt; done' }),
    words('There are 42.'),
  );
  await panel.ask('Write 42 parts');
  expect((await ended('Write 42 parts')).reason).toBe('done');
  await page.locator('.part.sidebar .title-actions [aria-label^="Restore Checkpoint"]').first().click();
  await choose('Write 42 parts');
  await choose('Undoes Harness’s later changes. The conversation');
  await title('Restore Checkpoint: Preview').waitFor();
  await page.keyboard.type('part-42.txt');
  await expect.poll(() => row('part-42.txt').textContent()).toContain('deleted');
  expect(await onDisk('part-42.txt'), 'nothing is done yet').toBe('42\n');
  for (let count = 0; count < 'part-42.txt'.length; count += 1) await page.keyboard.press('Backspace');
  await rows()
    .filter({ has: page.getByText('Restore', { exact: true }) })
    .first()
    .waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await panel.saying('notice', '42 files identical to checkpoint.').waitFor();
  await expect
    .poll(() => panel.find('[aria-live="polite"]').first().textContent())
    .toContain('42 files identical to checkpoint.');
  expect(await onDisk('part-1.txt')).toBeUndefined();
  const toast = page.locator('.notification-toast', { hasText: '42 files identical to checkpoint' });
  await toast.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => onDisk('part-42.txt')).toBe('42\n');
  await runCommandByKeys(page, 'Notifications: Clear All Notifications');
});

test('with unsaved text in the editor: it stays, joined with what is restored, and the editor undoes that by its own key', async () => {
  const { page } = workbench;
  const shown = page.locator('.editor-instance').first().locator('.view-line');
  // Their order in the page is not that on the screen.
  const lines = async () =>
    (await shown.allTextContents()).map((line) => line.replaceAll('\u00a0', ' ')).sort();
  await writeFile(at('typed.txt'), 'one\ntwo\nthree\nfour\n');
  claude.says(
    call('read', { path: 'typed.txt' }),
    call('write', { path: 'typed.txt', content: 'one\ntwo\nthree\nFOUR\n' }),
    words('It is louder now.'),
  );
  await panel.ask('Make it louder');
  await ended('Make it louder');
  await openFile(page, 'typed.txt');
  await page.locator('.editor-instance .view-line', { hasText: 'FOUR' }).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('mine ');
  await page.locator('.tab.active.dirty').waitFor();
  await runCommandByKeys(page, 'Harness: Undo Last Run');
  await panel.saying('notice', 'typed.txt: restored, keeps your edits').waitFor();
  await expect.poll(lines).toEqual(['', 'four', 'mine one', 'three', 'two']);
  await page.locator('.editor-instance .view-line', { hasText: 'mine' }).click();
  await page.keyboard.press('Control+z');
  await expect.poll(lines).toEqual(['', 'FOUR', 'mine one', 'three', 'two']);
});

test('the change of a card is shown also after a reload, from what the session keeps', async () => {
  const { page } = workbench;
  await writeFile(at('letter.txt'), 'Dear reader\n');
  claude.says(
    call('read', { path: 'letter.txt' }),
    call('write', { path: 'letter.txt', content: 'Dear writer\n' }),
    words('Written.'),
  );
  await panel.ask('Write a letter');
  await ended('Write a letter');
  await page.reload();
  await panel.tool('write').getByRole('button', { name: /Diff/ }).click();
  await page.locator('.tab', { hasText: 'change by Harness' }).waitFor();
  await page.locator('.monaco-diff-editor .view-line', { hasText: 'Dear writer' }).first().waitFor();
});
