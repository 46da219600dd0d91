import type { Page } from 'playwright-core';

/** Runs a command by its whole title, from wherever the keyboard's focus is, with keys alone. */
export async function runCommandByKeys(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.locator('.quick-input-widget .quick-input-filter input[type="text"]').waitFor();
  await page.keyboard.type(title);
  await page
    .locator('.quick-input-list .monaco-list-row.focused')
    .filter({ has: page.getByText(title, { exact: true }) })
    .waitFor();
  await page.keyboard.press('Enter');
}
