import { expect, test } from 'vitest';
import { openFile, runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { useHarness } from '../support/vscode/use-harness.ts';

const { workbench, panel } = await useHarness({
  files: { 'one.txt': '1\n', 'two.txt': '2\n', 'broken.json': '{\n  "a": 1 2\n}\n' },
});

/** By the keyboard, since a menu ignores a click that comes soon after it has opened. */
async function chooseFromMenu(name: string): Promise<void> {
  const { page } = workbench;
  const entry = page.locator('.monaco-menu .action-item', {
    has: page.locator('.action-label').getByText(name, { exact: true }),
  });
  await entry.last().hover();
  await expect.poll(() => entry.last().getAttribute('class')).toContain('focused');
  await page.keyboard.press('Enter');
}

test('all files that are selected in the explorer go into the input', async () => {
  const { page } = workbench;
  await runCommand(page, 'View: Show Explorer');
  const file = (name: string) => page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  await file('one.txt').click();
  // The explorer selects the file of the editor that opens, and only that.
  await page.locator('.tab.active', { hasText: 'one.txt' }).waitFor();
  await file('two.txt').click({ modifiers: ['Control'] });
  for (const name of ['one.txt', 'two.txt'])
    await expect.poll(() => file(name).getAttribute('class')).toContain('selected');
  await file('two.txt').click({ button: 'right' });
  await chooseFromMenu('Harness');
  await chooseFromMenu('Add to Chat');
  await expect.poll(() => panel.input.inputValue()).toBe('@one.txt @two.txt ');
  await panel.input.fill('');
});

test('a problem goes into the input from the context menu of its view', async () => {
  const { page } = workbench;
  await openFile(page, 'broken.json');
  await runCommand(page, 'Problems: Focus on Problems View');
  const problem = page.locator('.markers-panel .monaco-list-row', { hasText: 'Expected comma' });
  await problem.first().click();
  await problem.first().click({ button: 'right' });
  await chooseFromMenu('Add to Harness Chat');
  await expect.poll(() => panel.input.inputValue()).toMatch(/^@broken\.json:2 Expected comma/);
});
