import path from 'node:path';
import { expect, test } from 'vitest';
import { openFile, runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { isRunning } from '../support/is-running.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({ files: { 'notes.txt': 'one\ntwo\nthree\n' } });

/** A reply that stops in the middle until it is given up. */
const endless = () => {
  const end = makeGate();
  return {
    ...words('I think about it for a long while.'),
    chunkSize: 10,
    hold: { after: 1, until: end.opened },
  };
};
const promptBox = () => workbench.page.locator('input[placeholder="Describe a task or ask a question"]');
const statusItem = () => workbench.page.locator('.statusbar-item', { hasText: 'Harness:' });

test('“Ask Harness” asks for a prompt that mentions the selection, opens the panel and sends it', async () => {
  const { page } = workbench;
  claude.says(words('Two lines.'));
  await openFile(page, 'notes.txt');
  await page.locator('.monaco-editor.focused').waitFor();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+End');
  await runCommand(page, 'View: Show Explorer');
  await panel.input.waitFor({ state: 'hidden' });
  await runCommand(page, 'Ask Harness');
  await expect.poll(() => promptBox().inputValue()).toBe('@notes.txt:1-2 ');
  await page.keyboard.type('what do they say?');
  await page.keyboard.press('Enter');
  await panel.saying('user', '@notes.txt:1-2 what do they say?').waitFor();
  expect((await ended('@notes.txt:1-2 what do they say?')).reason).toBe('done');
  await panel.saying('text', 'Two lines.').waitFor();
});

test('while a run is on, the status bar shows it and cancels it, and a prompt waits for it', async () => {
  const prompt = 'Think until I click';
  claude.says(endless(), words('Here again.'));
  await statusItem().waitFor({ state: 'hidden' });
  await panel.ask(prompt);
  await panel.saying('text', 'I think').waitFor();
  await runCommand(workbench.page, 'Ask Harness');
  await promptBox().fill('And now?');
  await workbench.page.keyboard.press('Enter');
  const waiting = panel.find('[aria-label="Queued prompts"] > li').filter({ hasText: 'And now?' });
  await waiting.waitFor();
  await statusItem().click();
  expect((await ended(prompt)).reason).toBe('cancelled');
  await statusItem().waitFor({ state: 'hidden' });
  await expect.poll(() => panel.status.getAttribute('data-state')).toBe('idle');
  await expect.poll(() => claude.requests.at(-1)?.disconnected).toBe(true);
  await waiting.getByRole('button', { name: 'Send' }).click();
  expect((await ended('And now?')).reason).toBe('done');
  await panel.saying('text', 'Here again.').waitFor();
});

test('the Stop button ends a command with all its processes', async () => {
  const prompt = 'Sleep for an hour';
  claude.says(
    call('bash', { command: 'sleep 3600 & echo $! > sleeping; echo started; wait' }),
    words('I am awake.'),
  );
  await panel.ask(prompt);
  await panel.answer('allow_once');
  await panel.tool('bash').locator('.live-output', { hasText: 'started' }).waitFor();
  await panel.stop.click();
  expect((await ended(prompt)).reason).toBe('cancelled');
  expect(await panel.tool('bash').getAttribute('data-state')).toBe('cancelled');
  await expect.poll(() => isRunning(path.join(workbench.vscode.workspace, 'sleeping'))).toBe(false);
  await workbench.page.locator('.xterm-rows > div', { hasText: 'stopped' }).waitFor();
  await panel.ask('Awake?');
  expect((await ended('Awake?')).reason).toBe('done');
});
