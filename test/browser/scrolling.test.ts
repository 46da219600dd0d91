import { expect, test } from 'vitest';
import { openFile, runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { storeLongSession } from '../support/vscode/long-session.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness();
const paragraphs = (what: string) =>
  Array.from({ length: 40 }, (_, index) => `${what} ${index}.\n\n`).join('');

/** Pixels between what is shown and the end of the conversation. */
const fromEnd = () =>
  panel.conversation.evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
    Math.round(scrollHeight - scrollTop - clientHeight),
  );
const top = () => panel.conversation.evaluate(({ scrollTop }) => scrollTop);
const newContent = () => panel.button('New content');

async function scroll(pixels: number): Promise<void> {
  const before = await top();
  await panel.conversation.hover();
  await workbench.page.mouse.wheel(0, pixels);
  await expect.poll(top).not.toBe(before);
  await rests();
}

/** Nothing moves any more: a wheel scrolls smoothly. */
async function rests(): Promise<void> {
  await panel.conversation.evaluate(async (log) => {
    for (let still = 0, last = -1; still < 10; still += 1) {
      await new Promise(requestAnimationFrame);
      if (log.scrollTop !== last) still = 0;
      last = log.scrollTop;
    }
  });
}

/** The page keeps where its reader is after two waits of its own, which are over when two longer ones are. */
async function readingIsKept(): Promise<void> {
  await panel.conversation.evaluate(async () => {
    for (let wait = 0; wait < 2; wait += 1) await new Promise((resolve) => setTimeout(resolve, 300));
  });
}

test('the newest words are in sight; a reader who scrolls up is left alone, and can come back', async () => {
  const prompt = 'Tell me a long story';
  const [second, third] = [makeGate(), makeGate()];
  const chapter = (what: string) => call('list_dir', { path: '.' }, paragraphs(what));
  claude.says(
    chapter('Of youth'),
    { ...chapter('Of work'), hold: { after: 0, until: second.opened } },
    { ...words(paragraphs('Of age')), hold: { after: 0, until: third.opened } },
  );
  await panel.ask(prompt);
  await panel.saying('text', 'Of youth 39.').waitFor();
  await panel.tool('list_dir').waitFor();
  await expect.poll(fromEnd).toBe(0);

  await scroll(-500);
  const reading = await top();
  second.open();
  await panel.saying('text', 'Of work 39.').waitFor();
  await newContent().waitFor();
  expect(await top()).toBe(reading);
  await newContent().click();
  await expect.poll(fromEnd).toBe(0);
  await expect.poll(() => newContent().count()).toBe(0);

  third.open();
  await panel.saying('text', 'Of age 39.').waitFor();
  await ended(prompt);
  await expect.poll(fromEnd).toBe(0);
});

test('Page Up and Page Down scroll from the input, and the end is followed again', async () => {
  const prompt = 'Tell me another story';
  claude.says(words(paragraphs('Of mice')), words(paragraphs('Of men')));
  await panel.ask(prompt);
  await ended(prompt);
  await expect.poll(fromEnd).toBe(0);
  await panel.input.press('PageUp');
  await expect.poll(fromEnd).toBeGreaterThan(100);
  await panel.input.press('PageDown');
  await expect.poll(fromEnd).toBe(0);
  await panel.ask('And then?');
  await ended('And then?');
  await panel.saying('text', 'Of men 39.').waitFor();
  await expect.poll(fromEnd).toBe(0);
});

test('of a session of 10,000 parts only what is near is in the page; place and opened card outlive the page', async () => {
  const { page, vscode } = workbench;
  await storeLongSession(vscode.harnessHome, vscode.workspace, 2_500);
  await runCommand(page, 'Harness: Session History');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Prompt 0' }).click();
  await panel.saying('text', 'Answer 2499').waitFor();
  await expect.poll(fromEnd).toBe(0);
  const nodes = () => panel.find('*').count();
  expect(await nodes()).toBeLessThan(3_000);

  const field = () => panel.find('input[aria-label="Find"]');
  await page.keyboard.press('Control+f');
  await field().fill('Answer 1234');
  await panel
    .find('.find-count')
    .getByText(/ of 1$/)
    .waitFor();
  await page.keyboard.press('Enter');
  await panel.saying('text', 'Answer 1234').waitFor();
  expect(await nodes()).toBeLessThan(3_000);
  await page.keyboard.press('Escape');
  const card = panel.tool('read').filter({ hasText: 'file1234.ts' });
  await card.locator('.disclosure').click();
  await card.getByText('content 1234').waitFor();
  const place = () => card.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  await rests();
  await readingIsKept();
  const before = await place();

  await panel.kill();
  await panel.input.waitFor({ state: 'detached' });
  await openFile(page, 'package.json');
  await card.getByText('content 1234').waitFor();
  await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
  expect(await nodes()).toBeLessThan(3_000);
});
