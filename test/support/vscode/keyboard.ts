import type { Page } from 'playwright-core';

/** Runs a command by its whole title, from wherever the keyboard's focus is, with keys alone. */
export async function runCommandByKeys(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.locator('.quick-input-widget .quick-input-filter input[type="text"]').waitFor();
  await page.keyboard.type(title);
  const command = page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ has: page.locator('.label-name').filter({ hasText: wholly(title) }) });
  await command.waitFor();
  while (!(await command.getAttribute('class'))?.includes('focused')) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/** What was typed is a text of its own in a longer title. */
function wholly(title: string): RegExp {
  return new RegExp(`^${title.replace(/[^\w\s]/g, '\\$&')}$`);
}
