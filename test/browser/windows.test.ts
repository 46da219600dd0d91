import type { FrameLocator, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { openHarnessPanel, runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { HarnessPanel } from '../support/vscode/harness-panel.ts';
import { words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness();
const opened: Page[] = [];

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

async function openSecondWindow(): Promise<{ page: Page; panel: HarnessPanel }> {
  const page = await workbench.page.context().newPage();
  opened.push(page);
  await page.goto(workbench.vscode.url);
  const frame: FrameLocator = await openHarnessPanel(page);
  return { page, panel: new HarnessPanel(() => frame) };
}

test('a second window reads along, and can begin a session of its own', async () => {
  claude.says(words('Hello, window.'), words('Hello, other window.'), words('You are the first.'));
  await panel.ask('Who am I?');
  await ended('Who am I?');

  const second = await openSecondWindow();
  await second.panel.saying('text', 'Hello, window.').waitFor();
  await second.panel.find('.banner').getByText('Another window is writing this session').waitFor();
  expect(await second.panel.input.isEditable()).toBe(false);

  await runCommand(second.page, 'Harness: New Session');
  await expect.poll(() => second.panel.input.isEditable()).toBe(true);
  await second.panel.ask('And who am I?');
  await second.panel.saying('text', 'Hello, other window.').waitFor();
  expect((await panel.part('text').allTextContents()).join().trim()).toBe('Hello, window.');

  await workbench.page.bringToFront();
  await panel.ask('Am I still the first?');
  expect((await ended('Am I still the first?')).reason).toBe('done');
});
