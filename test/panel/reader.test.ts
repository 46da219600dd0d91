// Going from prompt to prompt and from part to part, and copying.
import { expect, test } from 'vitest';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { call, request, requestEnd, result, text } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const prompt = (content: string): EventDraft => ({ type: 'user', content });
const filler = Array.from({ length: 30 }, (_, index) => `Filler number ${index}.`).join('\n\n');
const talk = (index: number): EventDraft[] => [
  prompt(`Prompt ${index}`),
  request(index + 1),
  text(filler),
  requestEnd(index + 1),
];
const talks = (count: number) => Array.from({ length: count }, (_, index) => talk(index)).flat();

/** The prompt whose section begins at the upper edge. */
const promptAtTop = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const log = document.querySelector('[role="log"]') as HTMLElement;
    const { top } = log.getBoundingClientRect();
    const sections = [...log.querySelectorAll('[data-section]')];
    const section = sections.find((each) => Math.abs(each.getBoundingClientRect().top - top) < 3);
    return section?.querySelector('[data-part="user"]')?.textContent ?? null;
  });
const focused = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const { activeElement: part } = document;
    return [part?.getAttribute('data-part-id'), part?.getAttribute('role'), part?.ariaLabel];
  });
const distanceToEnd = (panel: PanelPage) =>
  panel.page
    .locator('[role="log"]')
    .evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
      Math.round(scrollHeight - scrollTop - clientHeight),
    );

test('Alt+Up and Alt+Down go from prompt to prompt over the whole session, and the focus stays', async () => {
  const panel = await open({ events: talks(60) });
  await panel.page.getByText('Prompt 59').waitFor();
  await panel.input.fill('Draft');
  for (const expected of [59, 58, 57, 56, 55, 54, 53]) {
    await panel.page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => promptAtTop(panel)).toBe(`Prompt ${expected}`);
  }
  await panel.page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => promptAtTop(panel)).toBe('Prompt 54');
  expect(await panel.input.inputValue()).toBe('Draft');
  expect(await panel.input.evaluate((element) => element === document.activeElement)).toBe(true);
  for (let index = 55; index < 60; index += 1) {
    await panel.page.keyboard.press('Alt+ArrowDown');
    if (index < 59) await expect.poll(() => promptAtTop(panel)).toBe(`Prompt ${index}`);
  }
  await panel.page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
});

test('a command goes to the prompt before, as the key does', async () => {
  const panel = await open({ events: talks(10) });
  await panel.page.getByText('Prompt 9').waitFor();
  await panel.send({ type: 'prompt/step', direction: -1 });
  await expect.poll(() => promptAtTop(panel)).toBe('Prompt 9');
});

test('Alt+J and Alt+K give the parts the focus, each with a name, also those that are far', async () => {
  const panel = await open({
    events: [...talks(30), call('c1', 'bash', { command: 'ls' }), result('c1', {})],
  });
  await panel.page.getByText('Prompt 29').waitFor();
  await panel.page.locator('[role="log"]').evaluate((log) => {
    log.scrollTop = 0;
  });
  await panel.page.getByText('Prompt 0').waitFor();
  await panel.page.keyboard.press('Alt+j');
  const seen: unknown[] = [await focused(panel)];
  for (let step = 0; step < 60; step += 1) {
    const before = await focused(panel);
    await panel.page.keyboard.press('Alt+j');
    await expect.poll(() => focused(panel)).not.toEqual(before);
    seen.push(await focused(panel));
  }
  expect(seen.slice(0, 2)).toEqual([
    ['1', 'article', 'You: Prompt 0'],
    ['1.1', 'article', expect.stringMatching(/^Response: Filler number 0\./)],
  ]);
  expect(seen.at(-1)).toEqual(['c1', 'article', expect.stringMatching(/^Tool: bash ls/)]);
  expect(new Set(seen.map((part) => JSON.stringify(part))).size).toBe(61);
  await panel.page.keyboard.press('Alt+k');
  await expect.poll(async () => (await focused(panel))[0]).toBe('30.1');
  const outline = await panel.page.evaluate(
    () => getComputedStyle(document.activeElement as Element).outlineStyle,
  );
  expect(outline).not.toBe('none');
});

test('Ctrl+C copies the part that has the focus, and a selection as ever', async () => {
  const panel = await open({ events: talks(2) });
  await panel.page.getByText('Prompt 1').waitFor();
  await panel.page.keyboard.press('Alt+j');
  await expect.poll(async () => (await focused(panel))[1]).toBe('article');
  await panel.page.keyboard.press('Control+c');
  await expect.poll(async () => (await panel.messages('part/copy')).length).toBe(1);
  const [id] = await focused(panel);
  expect((await panel.messages('part/copy'))[0]).toMatchObject({ session: 'session-1', part: id });
  await panel
    .part('user')
    .last()
    .evaluate((element) => getSelection()?.selectAllChildren(element));
  await panel.page.keyboard.press('Control+c');
  await panel.input.focus();
  await panel.page.keyboard.press('Control+c');
  expect(await panel.messages('part/copy')).toHaveLength(1);
});

test('the context menu is told which part it is for', async () => {
  const panel = await open({ events: talks(2) });
  await panel.part('user').last().click({ button: 'right' });
  const contexts = await panel
    .part('user')
    .last()
    .evaluate((part) => [
      (part as HTMLElement).dataset.vscodeContext,
      part.closest<HTMLElement>('[role="log"]')?.dataset.vscodeContext,
    ]);
  expect(contexts.map((context) => JSON.parse(context ?? '{}'))).toEqual([
    { webviewSection: 'harness.part', section: 1, part: '5' },
    { webviewSection: 'harness.conversation' },
  ]);
});

test('Tab and Shift+Tab reach the links of an answer, however far they are from each other', async () => {
  const filling = Array.from({ length: 120 }, (_, index) => `Plain words, number ${index}.`).join('\n\n');
  const links = Array.from({ length: 8 }, (_, index) => `See [link ${index}](https://example.com/${index}).`);
  const panel = await open({ events: [prompt('Links'), text(links.join(`\n\n${filling}\n\n`))] });
  await panel.page.locator('[role="log"]').evaluate((log) => {
    log.scrollTop = 0;
  });
  await panel.page.getByText('link 0').focus();
  const named = () => panel.page.evaluate(() => document.activeElement?.textContent);
  const seen = [await named()];
  for (let step = 0; step < 7; step += 1) {
    await panel.page.keyboard.press('Tab');
    seen.push(await named());
  }
  for (let step = 0; step < 7; step += 1) {
    await panel.page.keyboard.press('Shift+Tab');
    seen.push(await named());
  }
  const forwards = Array.from({ length: 8 }, (_, index) => `link ${index}`);
  expect(seen).toEqual([...forwards, ...forwards.toReversed().slice(1)]);
  await expect.poll(() => panel.page.getByText('link 0').isVisible()).toBe(true);
});
