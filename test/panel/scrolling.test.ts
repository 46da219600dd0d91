import { expect, test } from 'vitest';
import type { Delta } from '../../extension/protocol/delta.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { ask, call, request, result, text } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { readingIsKept, rest } from '../support/panel-scroll.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const prompt = (content: string): EventDraft => ({ type: 'user', content });
const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `Paragraph ${index} of many.`).join('\n\n');
const long: EventDraft[] = Array.from({ length: 30 }, (_, index) => [
  prompt(`Prompt ${index}`),
  text(paragraphs(10)),
]).flat();
const words = (content: string): Delta => ({ type: 'text_delta', session: 'session-1', text: content });

const log = (panel: PanelPage) => panel.page.locator('[role="log"]');
const distanceToEnd = (panel: PanelPage) =>
  log(panel).evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
    Math.round(scrollHeight - scrollTop - clientHeight),
  );
const newContent = (panel: PanelPage) => panel.page.getByRole('button', { name: 'New content' });

/** Scrolls as a reader does. */
async function scrollBy(panel: PanelPage, pixels: number): Promise<void> {
  await rest(panel);
  await log(panel).hover();
  const before = await log(panel).evaluate((element) => element.scrollTop);
  await panel.page.mouse.wheel(0, pixels);
  await expect.poll(() => log(panel).evaluate((element) => element.scrollTop)).not.toBe(before);
  await rest(panel);
}

/** Where the last text stands that says `content`, in pixels from the top of the page. */
const topOf = (panel: PanelPage, content: string) =>
  panel.page
    .getByText(content, { exact: true })
    .last()
    .evaluate((element) => Math.round(element.getBoundingClientRect().top));

test('what is new is in sight, at first and while it grows', async () => {
  const panel = await open({ events: [...long, request(1)] });
  await panel.page.getByText('Prompt 29').waitFor();
  await rest(panel);
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
  for (let index = 0; index < 10; index += 1) await panel.stream(words(`More ${index}\n\n`));
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
  await panel.page.setViewportSize({ width: 250, height: 400 });
  await panel.send({ type: 'input/focus' });
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
});

test('what is drawn once more, and is as high as it was, leaves the reader at the end', async () => {
  const panel = await open({ events: [prompt('Go'), request(1), text(paragraphs(30))] });
  await panel.page.getByText('Paragraph 29 of many.').waitFor();
  await rest(panel);
  await panel.showWhole();
  await rest(panel);
  expect(await distanceToEnd(panel)).toBe(0);
  await panel.emit(text(paragraphs(5)));
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
});

test('what is drawn once more lets the reader leave the end at the first step', async () => {
  const panel = await open({ events: long });
  await panel.page.getByText('Prompt 29').waitFor();
  await rest(panel);
  await panel.showWhole();
  await rest(panel);
  await log(panel).evaluate((element) => element.scrollBy({ top: -300 }));
  await rest(panel);
  expect(await distanceToEnd(panel)).toBe(300);
});

test('from the past of a session that was read further up, a shorter one is drawn wherever it is scrolled', async () => {
  const panel = await open({ events: long });
  await panel.page.getByText('Prompt 29').waitFor();
  await scrollBy(panel, -1_500);
  await panel.goTo(20, 'past');
  await rest(panel);
  await panel.showSession('session-2', long.slice(0, 24));
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
  await scrollBy(panel, -50_000);
  await expect.poll(() => panel.page.getByText('Prompt 0', { exact: true }).isVisible()).toBe(true);
});

test('a reader who scrolled up stays where she is, and comes back by the button', async () => {
  const panel = await open({ events: [...long, request(1)] });
  await panel.page.getByText('Prompt 29').waitFor();
  await scrollBy(panel, -300);
  const before = await topOf(panel, 'Paragraph 3 of many.');
  expect(await newContent(panel).count()).toBe(0);
  await panel.stream(words('New.\n\n'.repeat(20)));
  await panel.emit(text('New.\n\n'.repeat(20)), call('c1', 'bash'), result('c1', {}));
  expect(await topOf(panel, 'Paragraph 3 of many.')).toBe(before);
  await newContent(panel).click();
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
  await expect.poll(() => newContent(panel).count()).toBe(0);
  await panel.emit(text(paragraphs(5)));
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
});

test('a reader within a reply that grows stays where she is when the page is seen again, and when she comes back from the past', async () => {
  const panel = await open({ events: [...long, prompt('Go on'), request(1)] });
  await panel.stream(words(paragraphs(60)));
  await rest(panel);
  await scrollBy(panel, -800);
  const before = await topOf(panel, 'Paragraph 30 of many.');
  const asked = (await panel.messages('ready')).length;
  await panel.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(async () => (await panel.messages('ready')).length).toBe(asked + 1);
  await panel.stream(words(' More of it.\n\nAnd the rest.'));
  await panel.page.getByText('And the rest.').waitFor({ state: 'attached' });
  await rest(panel);
  expect(await topOf(panel, 'Paragraph 30 of many.')).toBe(before);

  await panel.goTo(61, 'past');
  await rest(panel);
  await panel.backToNow();
  await expect.poll(async () => (await panel.messages('ready')).length).toBe(asked + 2);
  await rest(panel);
  expect(await topOf(panel, 'Paragraph 30 of many.')).toBe(before);
  expect((await panel.texts()).at(-1)).toMatch(
    /^Paragraph 0 of .* 59 of many\. More of it\.\s*And the rest\.$/s,
  );
});

test('the next prompt, and scrolling to the end, follow again', async () => {
  const panel = await open({ events: long });
  await panel.page.getByText('Prompt 29').waitFor();
  await scrollBy(panel, -500);
  await panel.input.fill('Go on');
  await panel.input.press('Enter');
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
  await scrollBy(panel, -500);
  await scrollBy(panel, 10_000);
  await panel.emit(text(paragraphs(5)));
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
});

test('what the reader opens stays under the pointer', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n');
  const panel = await open({
    events: [...long, call('c1', 'read', { path: 'a' }), result('c1', { content: lines })],
  });
  const tool = panel.part('tool').getByRole('button');
  await tool.waitFor();
  await rest(panel);
  const top = () => tool.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const before = await top();
  await tool.click();
  await panel.part('tool').getByText('line 59').waitFor();
  expect(await top()).toBe(before);
});

test('Page Up and Page Down in the input scroll the conversation', async () => {
  const panel = await open({ events: long });
  await panel.page.getByText('Prompt 29').waitFor();
  await rest(panel);
  await panel.input.focus();
  await panel.page.keyboard.press('PageUp');
  expect(await distanceToEnd(panel)).toBeGreaterThan(100);
  await panel.page.keyboard.press('PageDown');
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
});

test('the reading position and what was opened outlive the page', async () => {
  const panel = await open({
    events: [
      ...long.slice(0, 20),
      call('c1', 'bash', { command: 'ls' }),
      result('c1', { stdout: 'files', stderr: '', exitCode: 0 }),
      ...long,
    ],
  });
  const tool = panel.part('tool').getByRole('button', { name: /ls/ });
  while (!(await tool.isVisible())) await scrollBy(panel, -500);
  await tool.scrollIntoViewIfNeeded();
  await tool.click();
  await scrollBy(panel, 40);
  await readingIsKept(panel);
  const before = await tool.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  await panel.reload();
  await tool.waitFor();
  expect(await tool.getAttribute('aria-expanded')).toBe('true');
  expect(
    Math.abs((await tool.evaluate((element) => Math.round(element.getBoundingClientRect().top))) - before),
  ).toBeLessThanOrEqual(2);
});

/** The line at the upper edge of the conversation, and how far below it its top is. */
const lineAtTop = (panel: PanelPage) =>
  log(panel).evaluate((element) => {
    const { left, top } = element.getBoundingClientRect();
    const range = document.caretRangeFromPoint(left + 60, top + 120);
    const rest = range?.startContainer.textContent?.slice(0, range.startOffset) ?? '';
    const from = rest.lastIndexOf('\n') + 1;
    range?.setStart(range.startContainer, from);
    const line = range?.startContainer.textContent?.slice(from).split('\n')[0];
    return { line, top: Math.round(range?.getBoundingClientRect().top ?? 0) };
  });

const sentence = 'Words that need more than one line of a side bar. ';
const odd = Array.from(
  { length: 900 },
  (_, index) => `${index % 7 === 0 ? `## Part ${index}\n\n` : ''}${index}: ${sentence.repeat(index % 5)}`,
).join('\n\n');
const code = `\`\`\`ts\n${Array.from({ length: 3_000 }, (_, index) => `const line${index} = ${index};`).join('\n')}\n\`\`\``;

test.each([
  ['paragraphs', odd],
  ['code', `${odd.slice(0, 20_000)}\n\n${code}\n\nEnd`],
])(
  'in a very long answer of %s the same line is at the same place after a reload',
  async (_name, content) => {
    const panel = await open({
      events: [prompt('Tell me all about it, at length.\nPlease.'), text(content)],
    });
    await rest(panel);
    for (const share of [0.3, 0.62]) {
      await log(panel).evaluate((element, at) => {
        element.scrollTop = at * element.scrollHeight;
      }, share);
      await scrollBy(panel, -333);
      await readingIsKept(panel);
      const before = await lineAtTop(panel);
      await panel.reload();
      await expect.poll(async () => (await lineAtTop(panel)).line).toBe(before.line);
      await rest(panel);
      const { line, top } = await lineAtTop(panel);
      expect(line).toBe(before.line);
      expect(Math.abs(top - before.top)).toBeLessThanOrEqual(2);
    }
  },
);

test('where only the end of a session has come, it is shown, and all of it then takes its place', async () => {
  const panel = await open({ events: long });
  await panel.showEnd(41);
  await panel.page.getByText('Prompt 29').waitFor();
  expect(await panel.page.getByText('Prompt 19').count()).toBe(0);
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
  await panel.showWhole();
  await rest(panel);
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
  await panel.showEnd(41);
  await scrollBy(panel, -900);
  await rest(panel);
  const before = await topOf(panel, 'Prompt 26');
  const height = await log(panel).evaluate(({ scrollHeight }) => scrollHeight);
  await panel.showWhole();
  await rest(panel);
  expect(await log(panel).evaluate(({ scrollHeight }) => scrollHeight)).toBeGreaterThan(height);
  expect(Math.abs((await topOf(panel, 'Prompt 26')) - before)).toBeLessThanOrEqual(2);
});

const veryLong = Array.from({ length: 40 }, () => long).flat();
const nodes = (panel: PanelPage) => panel.page.evaluate(() => document.querySelectorAll('*').length);
const inSight = (panel: PanelPage) =>
  log(panel).evaluate((element) => {
    const { left, top, height } = element.getBoundingClientRect();
    return document.elementFromPoint(left + 40, top + height / 2)?.closest('[data-part]')?.textContent ?? '';
  });

test('of a long session only what is near is in the page, wherever the reader goes', async () => {
  const panel = await open({ events: veryLong });
  await panel.page.getByText('Prompt 29').waitFor();
  const height = await log(panel).evaluate((element) => element.scrollHeight);
  for (const place of [1, 0.3, 0.7, 0, 0.5]) {
    await log(panel).evaluate((element, share) => {
      element.scrollTop = share * element.scrollHeight;
    }, place);
    await rest(panel);
    await expect.poll(() => inSight(panel)).toMatch(/Prompt|Paragraph/);
    expect(await nodes(panel)).toBeLessThan(1_000);
  }
  const now = await log(panel).evaluate((element) => element.scrollHeight);
  expect(Math.abs(now - height) / height).toBeLessThan(0.5);
});

test('what is drawn above the reader moves nothing', async () => {
  const panel = await open({ events: veryLong });
  await panel.page.getByText('Prompt 29').waitFor();
  for (let step = 0; step < 12; step += 1) {
    const before = await log(panel).evaluate((element) => {
      const { left, top, height } = element.getBoundingClientRect();
      const seen = document.elementFromPoint(left + 40, top + height / 2);
      seen?.setAttribute('data-mark', '');
      return seen?.getBoundingClientRect().top ?? 0;
    });
    await scrollBy(panel, -200);
    const mark = panel.page.locator('[data-mark]');
    const after = await mark.evaluate((element) => {
      element.removeAttribute('data-mark');
      return element.getBoundingClientRect().top;
    });
    expect(Math.abs(after - before - 200)).toBeLessThanOrEqual(1);
  }
});

test('what is new far below does not come into the page until the reader goes there', async () => {
  const panel = await open({ events: veryLong });
  await panel.page.getByText('Prompt 29').waitFor();
  await rest(panel);
  await log(panel).evaluate((element) => {
    element.scrollTop = 0;
  });
  await rest(panel);
  await panel.emit(prompt('The newest'), text('Its answer'));
  expect(await panel.part('text').getByText('Its answer').count()).toBe(0);
  await newContent(panel).click();
  await panel.part('text').getByText('Its answer').waitFor();
  await rest(panel);
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
});

test('a short prompt stays in sight above its answer', async () => {
  const panel = await open({ events: [prompt('Short'), text(paragraphs(60))] });
  await panel.page.getByText('Paragraph 59').waitFor();
  await expect.poll(() => distanceToEnd(panel)).toBe(0);
  expect(
    await panel.page
      .getByText('Short', { exact: true })
      .evaluate((element) => element.getBoundingClientRect().top),
  ).toBeLessThan(60);
  expect(await topOf(panel, 'Short')).toBeGreaterThanOrEqual(0);
});

test('an approval stays in sight when the panel is made narrower and lower', async () => {
  const panel = await open({ width: 600, events: [...long, request(1), call('c1', 'bash'), ask('c1')] });
  await panel.page.getByText('Prompt 29').waitFor();
  for (const [width, height] of [
    [420, 640],
    [250, 640],
    [250, 420],
    [200, 420],
  ] as const) {
    await panel.page.setViewportSize({ width, height });
    await rest(panel);
    expect(await distanceToEnd(panel), `${width} × ${height}`).toBe(0);
  }
  await panel.page.setViewportSize({ width: 250, height: 640 });
  await rest(panel);
  const deny = panel.part('permission').getByRole('button', { name: 'Deny' });
  const [button, input] = [await deny.boundingBox(), await panel.input.boundingBox()];
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(input?.y ?? 0);
});

test('Page Up in the first moments of a long session goes up by a page, not to its beginning', async () => {
  const panel = await open({ events: Array.from({ length: 40 }, () => long).flat() });
  await panel.shown;
  await panel.page.keyboard.press('PageUp');
  await panel.page.keyboard.press('PageUp');
  await rest(panel);
  expect(await distanceToEnd(panel)).toBeGreaterThan(100);
  expect(await distanceToEnd(panel)).toBeLessThan(2_000);
});

test('nothing but the conversation can be scrolled, whatever is in it', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `c${index}`);
  const run = ids.flatMap((id) => [call(id, 'bash'), result(id, { stdout: 'x\n', stderr: '', exitCode: 1 })]);
  const panel = await open({ events: [prompt('Go'), request(1), ...run, text('Done.')] });
  await rest(panel);
  const others = await panel.page.evaluate(() =>
    [...document.querySelectorAll('html, body, #root, main, .conversation-frame')].map((element) => {
      element.scrollTop = 100;
      return { scrollTop: element.scrollTop, hidden: element.scrollHeight - element.clientHeight };
    }),
  );
  expect(others).toEqual(others.map(() => ({ scrollTop: 0, hidden: 0 })));
});
