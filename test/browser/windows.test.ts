import type { FrameLocator, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { openHarnessPanel, runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { HarnessPanel } from '../support/vscode/harness-panel.ts';
import { storedRun } from '../support/vscode/stored-session.ts';
import { words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness();
const opened: Page[] = [];

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

/** A reply that stops in the middle until `until`. */
const held = (text: string, until: Promise<void>) => ({
  ...words(text),
  chunkSize: 5,
  hold: { after: 1, until },
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
  await second.panel.find('.banner').getByText('This session is open in another window').waitFor();
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

test('a second window reads along while a run is on, and goes on from there in a fork', async () => {
  const rest = makeGate();
  claude.says(held('One, two.', rest.opened), words('Three.'));
  await panel.ask('Count');
  await panel.saying('text', 'One,').waitFor();
  const second = await openSecondWindow();
  await second.panel.saying('user', 'Count').waitFor();
  await second.panel.find('.banner').getByText('This session is open in another window').waitFor();
  expect(await second.panel.input.isEditable()).toBe(false);
  rest.open();
  await second.panel.saying('text', 'One, two.').waitFor();
  expect((await ended('Count')).reason).toBe('done');

  await second.panel.find('.banner').getByRole('button', { name: 'Fork' }).click();
  await expect.poll(() => second.panel.input.isEditable()).toBe(true);
  await second.panel.saying('text', 'One, two.').waitFor();
  await second.panel.ask('Go on there');
  await second.panel.saying('text', 'Three.').waitFor();
  await storedRun(workbench.vscode.harnessHome, 'Go on there');
  expect(await panel.part('user').allTextContents()).toEqual([expect.stringContaining('Count')]);
  expect(await panel.input.isEditable()).toBe(true);
});
