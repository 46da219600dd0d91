import { expect, test } from 'vitest';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { call, words } from '../support/vscode/use-claude.ts';
import { API_KEY, useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({
  claude: { apiKey: API_KEY },
  env: { ANTHROPIC_API_KEY: '' },
});

const toast = (text: string) => workbench.page.locator('.notification-toast', { hasText: text });
const dialog = () => workbench.page.locator('.monaco-dialog-box');

/** The text of the editor in front, as far as it is drawn. */
async function openedText(tab: string): Promise<string> {
  await workbench.page.locator(`.tab.active[data-resource-name="${tab}"]`).waitFor();
  const lines = workbench.page.locator('.editor-instance .view-line');
  await lines.first().waitFor();
  return (await lines.allTextContents()).join('\n').replaceAll('\u00a0', ' ');
}

async function giveKey(key: string): Promise<void> {
  const { page } = workbench;
  await runCommand(page, 'Harness: Set API Key');
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Anthropic' }).waitFor();
  await page.keyboard.press('Enter');
  const box = page.locator('.quick-input-widget input[type="password"]');
  await box.fill(key);
  await page.keyboard.press('Enter');
  await box.waitFor({ state: 'hidden' });
}

test('a stored key is removed once that is confirmed', async () => {
  const { page } = workbench;
  await runCommand(page, 'Harness: Clear API Key');
  await toast('No Anthropic API key is stored.').waitFor();
  await runCommand(page, 'Notifications: Clear All Notifications');
  await giveKey(API_KEY);
  claude.says(words('Here I am.'));
  await panel.ask('Are you there?');
  expect((await ended('Are you there?')).reason).toBe('done');

  await runCommand(page, 'Harness: Clear API Key');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  claude.says(words('Still here.'));
  await panel.ask('Are you still there?');
  expect((await ended('Are you still there?')).reason).toBe('done');

  await runCommand(page, 'Harness: Clear API Key');
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await dialog().waitFor({ state: 'detached' });
  await panel.ask('And now?');
  expect((await ended('And now?')).reason).toBe('error');
  await panel.saying('error', 'API key').waitFor();
});

test('the records say where there is nothing yet, and open once there is', async () => {
  const { page } = workbench;
  await runCommand(page, 'Harness: Open Session Log');
  await toast('No session has started yet.').waitFor();
  await runCommand(page, 'Harness: Manage Permissions');
  await toast('There are no saved permissions yet').waitFor();
  await runCommand(page, 'Harness: Show Audit Log');
  await toast('The audit log is empty, because').waitFor();
  await runCommand(page, 'Notifications: Clear All Notifications');

  await giveKey(API_KEY);
  claude.says(call('bash', { command: 'echo recorded' }), words('It is.'));
  await panel.ask('Record something');
  await panel.answer('allow_always');
  const { events } = await ended('Record something');
  await runCommand(page, 'Harness: Open Session Log');
  await expect.poll(() => openedText('events.jsonl')).toContain(events[0]?.session);
  await runCommand(page, 'Harness: Manage Permissions');
  await expect.poll(() => openedText('policies.json')).toContain('"decision": "allow"');
  await runCommand(page, 'Harness: Show Audit Log');
  await expect.poll(() => openedText('audit.jsonl')).toContain('echo recorded');
});
