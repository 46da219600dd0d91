import { expect, test } from 'vitest';
import { runCommandByKeys } from '../support/vscode/keyboard.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({
  files: { 'hay.txt': 'hay\na needle\nhay\n' },
});
const paragraphs = Array.from({ length: 40 }, (_, index) => `Paragraph ${index} of hay.`).join('\n\n');
const field = () => panel.find('input[aria-label="Find"]');
const count = () => panel.find('.find-count').textContent();
/** The words of the match that was gone to. */
const current = () =>
  panel.conversation.evaluate(() => {
    const [range] = (CSS.highlights.get('find-current') ?? []) as Iterable<StaticRange>;
    return range?.startContainer.textContent?.slice(range.startOffset, range.endOffset);
  });
/** What the clipboard holds, as the input gets it. */
async function pasted(): Promise<string> {
  await panel.input.fill('');
  await panel.input.focus();
  await workbench.page.keyboard.press('Control+v');
  await expect.poll(() => panel.input.inputValue()).not.toBe('');
  const text = await panel.input.inputValue();
  await panel.input.fill('');
  return text;
}
const inMenu = (name: string) =>
  workbench.page.locator('.monaco-menu .action-item', {
    has: workbench.page.locator('.action-label').getByText(name, { exact: true }),
  });
/** By the keyboard, since a menu ignores a click that comes soon after it has opened. */
async function chooseFromMenu(name: string): Promise<void> {
  await inMenu(name).hover();
  await expect.poll(() => inMenu(name).getAttribute('class')).toContain('focused');
  await workbench.page.keyboard.press('Enter');
}

test('Ctrl+F finds in the whole conversation, also in what is folded away, and Esc goes back', async () => {
  const { page } = workbench;
  const prompt = 'Where is it?';
  claude.says(call('read', { path: 'hay.txt' }, paragraphs), words(`${paragraphs}\n\nIt was a **needle**.`));
  await panel.ask(prompt);
  await ended(prompt);
  await panel.input.fill('Draft');
  await page.keyboard.press('Control+f');
  await expect.poll(() => panel.hasFocus(field())).toBe(true);
  // VS Code's own search is not opened beside it.
  await page.keyboard.type('needle');
  await expect.poll(count).toMatch(/ of 2$/);
  await expect.poll(current).toBe('needle');
  await page.keyboard.press('F3');
  await page.keyboard.press('Shift+F3');
  await page.keyboard.press('Enter');
  await panel.tool('read').locator('.details').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => panel.hasFocus(panel.input)).toBe(true);
  expect(await panel.input.inputValue()).toBe('Draft');
  await expect.poll(current).toBeUndefined();
  await runCommandByKeys(page, 'Harness: Find in Conversation');
  await expect.poll(() => panel.hasFocus(field())).toBe(true);
  await page.keyboard.press('Escape');
});

test('from prompt to prompt, by key and by command', async () => {
  const { page } = workbench;
  claude.says(words(paragraphs), words(paragraphs));
  const top = () =>
    panel.conversation.evaluate((log) => {
      const edge = log.getBoundingClientRect().top;
      const sections = [...log.querySelectorAll('[data-section]')];
      const section = sections.find((each) => Math.abs(each.getBoundingClientRect().top - edge) < 3);
      return section?.querySelector('[data-part="user"] p')?.textContent;
    });
  for (const prompt of ['One prompt', 'Another prompt']) {
    await panel.ask(prompt);
    await ended(prompt);
  }
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(top).toBe('Another prompt');
  await runCommandByKeys(page, 'Harness: Go to Previous Prompt');
  await expect.poll(top).toBe('One prompt');
  await runCommandByKeys(page, 'Harness: Go to Next Prompt');
  await expect.poll(top).toBe('Another prompt');
});

test('a part and the whole conversation are copied as Markdown, by key, menu and command', async () => {
  const { page } = workbench;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  claude.says(call('read', { path: 'hay.txt' }), words('It is **there**.'));
  await panel.ask('Copy this');
  await ended('Copy this');

  await panel.saying('text', 'It is there.').click({ button: 'right' });
  await chooseFromMenu('Copy as Markdown');
  await page.locator('.statusbar', { hasText: 'Part copied' }).waitFor();
  expect(await pasted()).toBe('It is **there**.');

  await panel.input.focus();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('Alt+k');
  await expect.poll(() => panel.hasFocus(panel.part('user'))).toBe(true);
  await page.keyboard.press('Control+c');
  await page.locator('.statusbar', { hasText: 'Part copied' }).waitFor();
  await expect.poll(pasted).toBe('Copy this');

  await runCommandByKeys(page, 'Harness: Copy Conversation as Markdown');
  await page.locator('.statusbar', { hasText: 'Conversation copied' }).waitFor();
  const conversation = await pasted();
  expect(conversation).toContain('Copy this');
  expect(conversation).toContain('a needle');
  expect(conversation).toContain('It is **there**.');

  // What VS Code itself puts into the menu is still there.
  await panel.saying('text', 'It is there.').click({ button: 'right' });
  for (const name of ['Copy', 'Copy as Markdown', 'Copy Conversation as Markdown', 'Find in Conversation'])
    await inMenu(name).waitFor();
  await page.keyboard.press('Escape');
});
