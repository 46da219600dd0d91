import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness();

const toast = (text: string | RegExp) => workbench.page.locator('.notification-toast', { hasText: text });
const dialog = () => workbench.page.locator('.monaco-dialog-box');
const mode = () => panel.find('select[aria-label="Permission mode"]');

/** In the file where VS Code's server keeps what is set for its machine, which it watches. */
async function changeMachine(settings: object): Promise<void> {
  const file = path.join(path.dirname(workbench.vscode.home), 'user-data', 'Machine', 'settings.json');
  const old = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ ...old, ...settings }));
}

async function selectMode(label: string): Promise<void> {
  await mode().selectOption({ label });
}

test('“never ask” is asked about before it counts', async () => {
  await selectMode('Bypass Approvals');
  await dialog().getByText('without asking?').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await dialog().waitFor({ state: 'detached' });
  claude.says(call('bash', { command: 'echo asked' }), words('You said so.'));
  await panel.ask('Run something');
  await panel.answer('allow_once');
  await ended('Run something');

  await selectMode('Bypass Approvals');
  await dialog().getByRole('button', { name: 'Bypass Approvals' }).click();
  await expect.poll(() => mode().inputValue()).toBe('bypass');
  claude.says(call('bash', { command: 'echo unasked' }), words('Nobody said anything.'));
  await panel.ask('Run something else');
  const { events } = await ended('Run something else');
  const decided = events.find((event) => event.type === 'permission');
  expect(decided).toMatchObject({ by: 'mode', decision: 'allow_once' });
});

test('a value that cannot be used is told, and so is the next one', async () => {
  const { page } = workbench;
  const told = toast(/harness\.terminal\.timeoutSeconds is invalid/);
  for (const wrong of ['many', 'more']) {
    await changeMachine({ 'harness.terminal.timeoutSeconds': wrong });
    await told.waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
    await told.waitFor({ state: 'detached' });
  }
  await changeMachine({ 'harness.terminal.timeoutSeconds': 'yet more' });
  await told.getByRole('button', { name: 'Open Settings' }).click();
  await page.locator('.settings-editor .view-line', { hasText: 'harness.terminal.timeoutSeconds' }).waitFor();
  await changeMachine({ 'harness.terminal.timeoutSeconds': 30 });
  // What opens takes the focus, sooner or later.
  await runCommand(page, 'View: Close All Editors');
});

test('another folder for the sessions offers to reload the window', async () => {
  const { vscode } = workbench;
  claude.says(words('In the old folder.'));
  await panel.ask('Where are you?');
  await ended('Where are you?');
  const moved = path.join(vscode.home, 'elsewhere');
  await changeMachine({ 'harness.storagePath': moved });
  await toast('Reload the window').getByRole('button', { name: 'Reload Window' }).click();
  await panel.find('.empty').waitFor();
  await expect.poll(() => readFile(path.join(moved, 'prompt_history'), 'utf8').catch(() => '')).toBe('');
  claude.says(words('In the new one.'));
  await panel.ask('And now?');
  await panel.saying('text', 'In the new one.').waitFor();
  await expect.poll(() => readFile(path.join(moved, 'prompt_history'), 'utf8')).toContain('And now?');
});
