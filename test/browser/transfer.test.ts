import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness();

test('what sessions take is listed with the limit, and a session is exported as a page by the keyboard alone', async () => {
  const { page } = workbench;
  claude.says(words('It is bramble.'));
  await panel.ask('Name a word');
  await ended('Name a word');
  await runCommand(page, 'Harness: Show Storage…');
  await page.locator('.quick-input-title', { hasText: /^Storage: .+ of 2000 MB$/ }).waitFor();
  await page.locator('.quick-input-list [role="option"]', { hasText: 'Name a word' }).waitFor();
  await page.keyboard.press('Escape');
  await runCommand(page, 'Harness: Export Session…');
  await page.locator('.quick-input-list [role="option"]', { hasText: 'Web Page' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-title', { hasText: 'Export Session' }).waitFor();
  const path = () => page.locator('.quick-input-box input').inputValue();
  await expect.poll(path).toMatch(/\.html$/);
  const file = await path();
  await page.keyboard.press('Enter');
  await page.locator('.notification-list-item', { hasText: 'Session exported.' }).waitFor();
  expect(await readFile(file, 'utf8')).toContain('<p>It is bramble.</p>');
});
