import { expect, test } from 'vitest';
import type { Delta } from '../../extension/protocol/delta.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { request, requestEnd, text } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { rest } from '../support/panel-scroll.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const prompt: EventDraft = { type: 'user', content: 'How?' };
const words = (content: string): Delta => ({ type: 'text_delta', session: 'session-1', text: content });

const log = (panel: PanelPage) => panel.page.locator('[role="log"]');
const nodes = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    let count = 0;
    const walker = document.createTreeWalker(document);
    while (walker.nextNode()) count += 1;
    return count;
  });

/** About `size` characters of an answer, each paragraph with its number. */
function answer(size: number): string {
  let content = '';
  for (let index = 0; content.length < size; index += 1) {
    content += `## Part ${index}\n\nSome *words* about \`it${index}\`, and **more** of them.\n\n- one\n- two\n\n`;
    content += `\`\`\`ts\nconst part${index} = ${index};\n\`\`\`\n\n| a | b |\n|---|---|\n| ${index} | 2 |\n\n`;
  }
  return content;
}

/** Streams `content` in pieces, as the host does. */
async function stream(panel: PanelPage, content: string, size = 2_000): Promise<void> {
  for (let at = 0; at < content.length; at += size) await panel.stream(words(content.slice(at, at + size)));
}

const scrollTo = async (panel: PanelPage, share: number) => {
  await log(panel).evaluate((element, part) => {
    element.scrollTop = (element.scrollHeight - element.clientHeight) * part;
  }, share);
  await rest(panel);
};

const top = (panel: PanelPage) => log(panel).evaluate(({ scrollTop }) => scrollTop);

test.each([20_000, 128_000, 400_000])('an answer of %d characters leaves few nodes', async (size) => {
  const panel = await open({ events: [prompt, request(1)] });
  await stream(panel, answer(size), 20_000);
  await rest(panel);
  expect(await nodes(panel)).toBeLessThan(3_000);
  await scrollTo(panel, 0.5);
  expect(await nodes(panel)).toBeLessThan(3_000);
});

const long = answer(60_000);
const answered: EventDraft[] = [prompt, request(1), text(long), requestEnd(1)];

test('however an answer arrives, the page shows the same', async () => {
  const content = `${answer(2_500)}\n\n- a\n  \`\`\`js\n  let b;\n  \`\`\`\n\nLast *words*`;
  const shown = (panel: PanelPage) =>
    panel.page
      .locator('.blocks > .markdown')
      .evaluateAll((groups) =>
        groups.map((group) => group.innerHTML.replace(/<\/?span[^>]*>/g, '')).join(''),
      );
  const whole = await open({ events: [prompt, request(1), text(content), requestEnd(1)], height: 4_000 });
  await rest(whole);
  for (const size of [7, 64, 1_000]) {
    const panel = await open({ events: [prompt, request(1)], height: 4_000 });
    const pieces = content.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
    for (let at = 0; at < pieces.length; at += 20) {
      await panel.stream(...pieces.slice(at, at + 20).map(words));
    }
    await panel.emit(text(content), requestEnd(1));
    await rest(panel);
    expect(await shown(panel)).toBe(await shown(whole));
  }
});

/** What of the answer the page holds, as numbers of its parts. */
const partsInPage = (panel: PanelPage) =>
  panel.page
    .locator('.blocks h2')
    .evaluateAll((found) => found.map((heading) => Number(heading.textContent?.replace('Part ', ''))));

const inSight = (panel: PanelPage) =>
  log(panel).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const headings = [...element.querySelectorAll('.blocks h2')];
    return headings
      .map((heading) => ({ text: heading.textContent, top: heading.getBoundingClientRect().top }))
      .filter((heading) => heading.top > top && heading.top < bottom);
  });

test('wherever the reader scrolls, the text is there, and in order', async () => {
  const panel = await open({ events: answered });
  const last = Number(/Part (\d+)\D*$/.exec(long.slice(0, long.lastIndexOf('\n\nSome')))?.[1]);
  for (const share of [1, 0.2, 0.7, 0]) {
    await scrollTo(panel, share);
    const parts = await partsInPage(panel);
    expect((await inSight(panel)).length, `at ${share}`).toBeGreaterThan(1);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    expect(parts.length).toBeLessThan(last / 2);
  }
  expect(await partsInPage(panel)).toContain(0);
});

test('scrolling up moves what is in sight by just as much, while pieces are drawn above', async () => {
  const panel = await open({ events: answered, width: 250 });
  await rest(panel);
  await log(panel).hover();
  for (let step = 0; step < 12; step += 1) {
    const [before] = await inSight(panel);
    await panel.page.mouse.wheel(0, -300);
    await rest(panel);
    const after = (await inSight(panel)).find(({ text: found }) => found === before?.text);
    if (after && before) expect(Math.abs(after.top - before.top - 300)).toBeLessThan(2);
  }
});

test('the place of a reader is kept while the answer grows below', async () => {
  const panel = await open({ events: [prompt, request(1)] });
  await stream(panel, answer(20_000));
  await scrollTo(panel, 0.5);
  const [before] = await inSight(panel);
  await stream(panel, answer(30_000));
  await rest(panel);
  const [after] = await inSight(panel);
  expect(after?.text).toBe(before?.text);
  expect(Math.abs((after?.top ?? 0) - (before?.top ?? 0))).toBeLessThan(2);
});

test('who came back to the end, below which more had grown, leaves it at the first step', async () => {
  const panel = await open({ events: [prompt, request(1)] });
  await stream(panel, answer(4_000));
  await scrollTo(panel, 0.5);
  await stream(panel, answer(2_000));
  await scrollTo(panel, 1);
  const before = await top(panel);
  await scrollTo(panel, 0.8);
  expect(await top(panel)).toBeLessThan(before - 100);
});

test('what is selected stays, and a copy has all of it', async () => {
  const panel = await open({ events: answered });
  await scrollTo(panel, 0);
  await log(panel).evaluate((element) => {
    const first = element.querySelector('.blocks h2')?.firstChild;
    if (first) getSelection()?.setBaseAndExtent(first, 0, first, 4);
  });
  await scrollTo(panel, 1);
  await log(panel).evaluate((element) => {
    const last = [...element.querySelectorAll('.blocks h2')].at(-1)?.firstChild;
    if (last) getSelection()?.extend(last, 4);
  });
  await rest(panel);
  const copied = await panel.page.evaluate(() => {
    document.dispatchEvent(new ClipboardEvent('copy', { bubbles: true }));
    return getSelection()?.toString() ?? '';
  });
  const numbers = [...copied.matchAll(/Part (\d+)/g)].map(([, digits]) => Number(digits));
  expect(numbers.length).toBeGreaterThan(100);
  expect(numbers).toEqual(numbers.map((_, index) => index));
});

const lines = Array.from({ length: 5_000 }, (_, index) => `const line${index} = '${index}'; // ${index}`);
const fence = `\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`;

test('a fence of 5,000 lines is drawn where it is read, and copied as a whole', async () => {
  const panel = await open({ events: [prompt, request(1)] });
  await panel.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await stream(panel, fence, 10_000);
  await rest(panel);
  expect(await nodes(panel)).toBeLessThan(3_000);
  await expect.poll(() => panel.page.locator('pre').textContent()).toContain('line4999 ');
  await scrollTo(panel, 0.5);
  expect(await panel.page.locator('pre').textContent()).toContain('line2500 ');
  expect(await nodes(panel)).toBeLessThan(3_000);
  await scrollTo(panel, 0);
  await panel.page.getByRole('button', { name: 'Copy Code' }).click();
  await expect
    .poll(() => panel.page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${lines.join('\n')}\n`);
});

test('a table of 500 rows is drawn where it is read', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => `| ${index} | two | three | four |`);
  const panel = await open({ events: [prompt, request(1)] });
  await stream(panel, `| a | b | c | d |\n|---|---|---|---|\n${rows.join('\n')}\n\nEnd.`, 500);
  await rest(panel);
  await expect.poll(() => panel.page.locator('.blocks').textContent()).toContain('499');
  await scrollTo(panel, 0);
  expect(await panel.page.getByRole('cell', { name: '7', exact: true }).isVisible()).toBe(true);
  expect(await nodes(panel)).toBeLessThan(3_000);
});

test.each([
  ['items', (index: number) => `  - inner ${index}`],
  ['items of items', (index: number) => `${index % 9 ? '    -' : '  -'} inner ${index}`],
  ['paragraphs', (index: number) => `\n  inner ${index}`],
])('of one item with thousands of %s only what is near is in the page', async (_name, lineOf) => {
  const inner = Array.from({ length: 4_000 }, (_, index) => lineOf(index));
  const panel = await open({ events: [prompt, request(1)] });
  await stream(panel, `- outer\n${inner.join('\n')}\n- next\n\nEnd.`, 2_000);
  await rest(panel);
  expect(await nodes(panel)).toBeLessThan(3_000);
  await scrollTo(panel, 0.5);
  const items = panel.page.locator('.blocks :is(li, p)').filter({ hasText: /^inner \d+$/ });
  await items.first().waitFor();
  expect(await nodes(panel)).toBeLessThan(3_000);
  const marks = await items.evaluateAll((all) => all.map((item) => getComputedStyle(item).listStyleType));
  expect(new Set(marks).has('disc')).toBe(false);
});

test('closed code is coloured, and its text stays the same', async () => {
  const panel = await open({ events: [prompt, request(1)] });
  const code = "/* a\n b */\nconst x: number = 1; // <b>&amp;\nconst s = 'ä 👩‍👩‍👧';\n";
  await panel.stream(words(`\`\`\`ts\n${code}`));
  await rest(panel);
  expect(await panel.page.locator('pre [class^="hljs-"]').count()).toBe(0);
  await panel.stream(words('```\nDone.'));
  await expect.poll(() => panel.page.locator('pre .hljs-keyword').count()).toBe(2);
  expect(await panel.page.locator('pre').textContent()).toBe(code);
  expect(await panel.page.locator('pre .hljs-comment').first().textContent()).toContain('b */');
});

test('code in a list is coloured too', async () => {
  const panel = await open({ events: [prompt, text('- a\n  ```py\n  def f(): pass\n  ```\n')] });
  await expect.poll(() => panel.page.locator('li pre .hljs-keyword').count()).toBeGreaterThan(0);
  expect(await panel.page.locator('li pre').textContent()).toBe('def f(): pass\n');
});
