import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seriousObstacles } from '../support/axe.ts';
import { runCommandByKeys } from '../support/vscode/keyboard.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness();

const tree = () => workbench.page.locator('.monaco-list[aria-label*="Timeline"]');
const item = (text: string) => tree().locator('.monaco-list-row', { hasText: text });
const banner = () => panel.find('section[aria-label="Earlier point in time"]');
const slider = () => panel.find('input[type="range"][aria-label="Event"]');

test('with the keyboard alone: through the timeline to an event, on from there, its files, and back to now', async () => {
  const { page, vscode } = workbench;
  const path = join(vscode.workspace, 'story.txt');
  await writeFile(path, 'Once\n');
  claude.says(
    call('read', { path: 'story.txt' }),
    call('write', { path: 'story.txt', content: 'Once upon a time\n' }),
    words('A story has begun.'),
  );
  await panel.ask('Begin a story');
  await panel.answer('allow_once');
  expect((await ended('Begin a story')).reason).toBe('done');
  expect(await readFile(path, 'utf8')).toBe('Once upon a time\n');
  await panel.input.fill('And then?');

  await runCommandByKeys(page, 'Harness: Show Timeline');
  await item('Begin a story').first().waitFor();
  await expect.poll(() => tree().evaluate((list) => list.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await item('read story.txt').waitFor();
  while (!(await item('read story.txt').getAttribute('class'))?.includes('focused'))
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => banner().textContent()).toContain('Viewing event');
  await expect
    .poll(async () => (await panel.parts()).at(-1))
    .toMatchObject({ tool: 'read', state: 'pending' });
  expect(await panel.saying('text', 'A story has begun.').count()).toBe(0);
  expect(await tree().evaluate((list) => list.contains(document.activeElement)), 'the focus stays').toBe(
    true,
  );

  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(async () => (await panel.parts()).at(-1)).toMatchObject({ tool: 'read', state: 'done' });
  await runCommandByKeys(page, 'Harness: Compare File with Now');
  await page.locator('.notification-toast', { hasText: 'Go to an earlier point first: run' }).waitFor();

  await runCommandByKeys(page, 'Harness: Show Files at This Point');
  const files = page.locator('.quick-input-list .monaco-list-row');
  await files.filter({ hasText: 'story.txt' }).waitFor();
  await page.keyboard.type('story.txt');
  await page.keyboard.press('Enter');
  const diff = page.locator('.monaco-diff-editor');
  await expect.poll(() => diff.locator('.editor.original .view-line').first().textContent()).toBe('Once');
  await expect
    .poll(() => diff.locator('.editor.modified .view-line').first().textContent())
    .toMatch(/^Once.upon.a.time$/);

  await runCommandByKeys(page, 'Harness: Go to Earlier Point…');
  await expect.poll(() => panel.hasFocus(slider())).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => slider().getAttribute('aria-valuetext')).toMatch(/^\d+\. /);
  const frame = await (await banner().elementHandle())?.ownerFrame();
  expect(frame && (await seriousObstacles(frame))).toEqual([]);
  await page.keyboard.press('Escape');
  await banner().waitFor({ state: 'detached' });
  expect(await panel.input.inputValue()).toBe('And then?');
  await expect.poll(() => panel.hasFocus(panel.input)).toBe(true);
  await panel.saying('text', 'A story has begun.').waitFor();

  await runCommandByKeys(page, 'Harness: Hide Timeline');
  await tree().waitFor({ state: 'detached' });
});
