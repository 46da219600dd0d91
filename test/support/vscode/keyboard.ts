import type { Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';

const AT_ONCE = { timeout: 10_000 };

/** Runs a command by its whole title, from wherever the keyboard's focus is, with keys alone. */
export async function runCommandByKeys(page: Page, title: string): Promise<void> {
  const command = rowsOf(page).filter({
    has: page.locator('.label-name').filter({ hasText: wholly(title) }),
  });
  await reopened(async () => {
    await page.keyboard.press('Control+Shift+P');
    await filterOf(page).waitFor(AT_ONCE);
    await page.keyboard.type(title);
    await command.waitFor(AT_ONCE);
    while (!(await command.getAttribute('class', AT_ONCE))?.includes('focused'))
      await page.keyboard.press('ArrowDown');
  });
  await page.keyboard.press('Enter');
}

/** Gives the list that `open` opens a text that so many of its rows have, and takes the first one, or the text. */
export async function typeIntoList(
  page: Page,
  open: () => Promise<void>,
  text: string,
  rows: number,
): Promise<void> {
  await reopened(async () => {
    await open();
    await rowsOf(page).first().waitFor(AT_ONCE);
    await filterOf(page).fill(text, AT_ONCE);
    await expect.poll(() => rowsOf(page).count(), AT_ONCE).toBe(rows);
    await filterOf(page).waitFor(AT_ONCE);
  });
  await page.keyboard.press('Enter');
}

/** A view that gets the focus late closes a list that has opened: then it is opened again. */
async function reopened(use: () => Promise<void>): Promise<void> {
  await vi.waitFor(use, { timeout: 60_000, interval: 500 });
}

function rowsOf(page: Page): Locator {
  return page.locator('.quick-input-list .monaco-list-row');
}

function filterOf(page: Page): Locator {
  return page.locator('.quick-input-widget .quick-input-filter input[type="text"]');
}

/** What was typed is a text of its own in a longer title. */
function wholly(title: string): RegExp {
  return new RegExp(`^${title.replace(/[^\w\s]/g, '\\$&')}$`);
}
