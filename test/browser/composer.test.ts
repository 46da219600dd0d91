import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { resizeSideBar } from '../../scripts/lib/vscode/browser.mjs';
import { words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness();

beforeEach(async () => {
  await panel.input.fill('');
});

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await workbench.page.keyboard.press(key);
}

const text = () => panel.input.inputValue();

/** Goes up to the newest prompt, as soon as that is `prompt`. */
async function recall(prompt: string): Promise<void> {
  const newest = async () => {
    await press('ArrowUp');
    const found = await text();
    if (found !== prompt) await press('ArrowDown');
    return found;
  };
  await expect.poll(newest).toBe(prompt);
}

/** Of the input: as many as it is high, and as many as its text needs. */
function rows(): Promise<{ shown: number; needed: number }> {
  return panel.input.evaluate((input) => {
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(input);
    const padding = Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom);
    const count = (height: number) => Math.round((height - padding) / Number.parseFloat(lineHeight));
    return { shown: count(input.clientHeight), needed: count(input.scrollHeight) };
  });
}

async function ask(prompt: string): Promise<void> {
  claude.says(words('Noted.'));
  await panel.ask(prompt);
  await ended(prompt);
}

test('the input grows with its lines from one to ten, then scrolls, and shrinks', async () => {
  await panel.input.focus();
  for (let lines = 1; lines <= 12; lines += 1) {
    expect(await rows()).toEqual({ shown: Math.min(lines, 10), needed: lines });
    await press(lines % 2 === 0 ? 'Shift+Enter' : 'Control+Enter');
  }
  expect(await text()).toBe('\n'.repeat(12));
  await press('Control+a', 'Control+x');
  expect(await rows()).toEqual({ shown: 1, needed: 1 });
  await press('Control+v');
  await expect.poll(rows).toEqual({ shown: 10, needed: 13 });
  await press('Control+u');
  expect(await text()).toBe('');
  expect((await rows()).shown).toBe(1);
});

test('the input grows when its text wraps, also because the side bar got narrower', async () => {
  await workbench.page.keyboard.type('A sentence that is long enough to be broken into two lines here.');
  const wide = (await rows()).shown;
  expect(wide).toBeGreaterThan(1);
  await resizeSideBar(workbench.page, 200);
  await expect.poll(async () => (await rows()).shown).toBeGreaterThan(wide);
  await resizeSideBar(workbench.page, 300);
  await expect.poll(async () => (await rows()).shown).toBe(wide);
});

test('Enter that belongs to an input method sends nothing', async () => {
  await panel.input.fill('にほん');
  await panel.input.evaluate((input) => {
    const key = { key: 'Enter', bubbles: true, cancelable: true };
    input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent('keydown', { ...key, isComposing: true }));
    input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent('keydown', { ...key, keyCode: 229 }));
  });
  expect(await text()).toBe('にほん');
  await panel.input.fill('');
  const inputMethod = await workbench.page.context().newCDPSession(workbench.page);
  await inputMethod.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
  await expect.poll(text).toBe('にほん');
  await inputMethod.send('Input.insertText', { text: '日本' });
  await expect.poll(text).toBe('日本');
  claude.says(words('Noted.'));
  await press('Enter');
  await ended('日本');
  expect(await panel.part('user').allTextContents()).toEqual(['日本']);
});

test('Up and Down walk through earlier prompts at the edges of the text, and back to the draft', async () => {
  await ask('the first one');
  await ask('the second one\nin two lines');
  await panel.input.fill('a draft');
  await recall('the second one\nin two lines');
  await press('ArrowUp');
  expect(await text()).toBe('the second one\nin two lines');
  await press('ArrowUp');
  expect(await text()).toBe('the first one');
  await press('ArrowDown', 'ArrowDown');
  expect(await text()).toBe('a draft');
});

test('earlier prompts outlive a reload of the window', async () => {
  await ask('to be remembered');
  const history = () => readFile(path.join(workbench.vscode.harnessHome, 'prompt_history'), 'utf8');
  await expect.poll(async () => (await history()).trimEnd().split('\n').at(-1)).toBe('"to be remembered"');
  await workbench.page.reload();
  await panel.saying('user', 'to be remembered').waitFor();
  await panel.input.focus();
  await recall('to be remembered');
});

test.each(['F1', '?'])(
  '%s in an empty input opens the help; Esc closes it and the input has the focus',
  async (key) => {
    await press(key);
    const help = panel.find('[role="dialog"][aria-label="Help"]');
    await help.waitFor();
    expect(await workbench.page.locator('.quick-input-widget').isVisible()).toBe(false);
    await press('Escape');
    await help.waitFor({ state: 'detached' });
    expect(await panel.hasFocus(panel.input)).toBe(true);
    expect(await text()).toBe('');
    await workbench.page.keyboard.type('why?');
    expect(await text()).toBe('why?');
  },
);
