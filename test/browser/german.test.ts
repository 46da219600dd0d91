import { expect, test } from 'vitest';
import { openFile, runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { storedRun } from '../support/vscode/stored-session.ts';
import { call, useClaude, words } from '../support/vscode/use-claude.ts';
import { API_KEY } from '../support/vscode/use-harness.ts';
import { useWorkbench } from '../support/vscode/use-workbench.mjs';

const claude = await useClaude();
const workbench = useWorkbench({
  language: 'de',
  files: { 'notes.txt': 'eins\n' },
  env: { ANTHROPIC_BASE_URL: claude.url, ANTHROPIC_API_KEY: API_KEY },
});
const input = () => workbench.panel.getByRole('textbox', { name: 'Harness fragen' });
const part = (kind: string, text: string) =>
  workbench.panel.locator(`[data-part="${kind}"]`).filter({ hasText: text });
const statusBar = () => workbench.page.locator('.statusbar-item', { hasText: 'Harness' });

async function ask(prompt: string): Promise<void> {
  await input().fill(prompt);
  await input().press('Enter');
}

async function rests(): Promise<void> {
  await workbench.panel.getByRole('button', { name: 'Stopp', exact: true }).waitFor({ state: 'detached' });
}

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
  await page.getByPlaceholder('Beschreiben Sie eine Aufgabe, oder stellen Sie eine Frage').waitFor();
  await page.keyboard.press('Escape');
});

test('an error of the provider is German in the panel, and English in the log', async () => {
  const body = { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } };
  claude.says({ status: 401, body });
  await ask('Wie spät ist es?');
  await part('error', 'Anthropic hat den API-Schlüssel abgelehnt. Legen Sie').waitFor();
  await rests();
  const logged = (await storedRun(workbench.vscode.harnessHome, 'Wie spät ist es?')).find(
    ({ type }) => type === 'error',
  );
  expect(logged).toMatchObject({ message: expect.stringContaining('Anthropic rejected the API key.') });
});

test('an approval, the status bar, a notice and a command that fails speak German', async () => {
  const { page, panel } = workbench;
  const rest = makeGate();
  claude.says(call('read', { path: 'notes.txt' }), call('write', { path: 'notes.txt', content: 'zwei\n' }), {
    ...words('Es ist geschrieben.'),
    hold: { after: 0, until: rest.opened },
  });
  await ask('Schreib zwei');
  const card = part('permission', 'notes.txt ändern?');
  await card.getByText('gelten für: alle Änderungen in diesem Arbeitsbereich außer an').waitFor();
  await statusBar().filter({ hasText: 'wartet auf Ihre Genehmigung' }).waitFor();
  await card.getByRole('button', { name: 'Einmal zulassen' }).click();
  await statusBar().filter({ hasText: 'Nachdenken' }).waitFor();
  await panel.getByRole('status').getByText('Nachdenken').waitFor();
  rest.open();
  await rests();
  await runCommand(page, 'Harness: Letzten Lauf rückgängig machen');
  await part('notice', '1 Datei identisch mit dem Sicherungspunkt: notes.txt.').waitFor();
  await runCommand(page, 'Harness: Letzten Lauf rückgängig machen');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.getByText('Es gibt keine Dateiänderungen, die rückgängig gemacht werden können.').waitFor();
});
