import { expect, test } from 'vitest';
import { openFile, runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { useWorkbench } from '../support/vscode/use-workbench.mjs';

const workbench = useWorkbench({ language: 'de', files: { 'notes.txt': 'eins\n' } });
const input = () => workbench.panel.getByRole('textbox', { name: 'Harness fragen' });

test('in a German VS Code the panel is German', async () => {
  const { panel } = workbench;
  await input().waitFor();
  await panel.getByRole('button', { name: 'Dateien oder Bilder anhängen' }).waitFor();
  expect(await panel.locator('html').getAttribute('lang')).toBe('de');
});

test('the palette has German titles, and what they run speaks German', async () => {
  const { page } = workbench;
  await runCommand(page, 'Harness: Unterhaltung als Markdown kopieren');
  await page.locator('.notification-toast', { hasText: 'Es gibt noch keine Unterhaltung' }).waitFor();
  await openFile(page, 'notes.txt');
  await runCommand(page, 'Harness: Zum Chat hinzufügen');
  await expect.poll(() => input().inputValue()).toContain('notes.txt');
});

test('an input of VS Code is German', async () => {
  const { page } = workbench;
  await runCommand(page, 'Harness fragen');
  await page.getByPlaceholder('Was soll getan werden?').waitFor();
  await page.keyboard.press('Escape');
});
