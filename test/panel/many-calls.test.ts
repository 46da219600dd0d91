// One reply may call tools as often as it likes: the page holds what is near the reader all the same.
import { expect, test } from 'vitest';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { call, request, requestEnd, result, text } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { readingIsKept, rest } from '../support/panel-scroll.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const LIMIT = 3_000;

const outcomes = {
  bash: { stdout: 'fine', stderr: '', exitCode: 0 },
  read: { content: 'What is known.', totalLines: 1 },
};

/** One reply with many calls, all of which have ended, and what was said of them. */
function reply(count: number, tool: keyof typeof outcomes): EventDraft[] {
  const ids = Array.from({ length: count }, (_, index) => `call${index}`);
  const inputOf = (id: string) => (tool === 'bash' ? { command: `run ${id}.` } : { path: `${id}.txt` });
  return [
    { type: 'user', content: 'Do all of it' },
    request(1),
    ...ids.map((id) => call(id, tool, inputOf(id))),
    requestEnd(1),
    ...ids.map((id) => result(id, outcomes[tool])),
    request(2),
    text('That is all.'),
    requestEnd(2),
  ];
}

const log = (panel: PanelPage) => panel.page.locator('[role="log"]');
/** Elements, words and comments. */
const nodes = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const walker = document.createTreeWalker(document);
    let count = 1;
    while (walker.nextNode()) count += 1;
    return count;
  });
const scrollTo = (panel: PanelPage, share: number) =>
  log(panel).evaluate((element, part) => element.scrollTo({ top: element.scrollHeight * part }), share);
const drawnIds = (panel: PanelPage) =>
  panel.part('tool').evaluateAll((parts) => parts.map((part) => part.getAttribute('data-part-id')));
/** The call in the middle of what is in sight. */
const inSight = (panel: PanelPage) =>
  log(panel).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const seen = document.elementsFromPoint(left + width / 2, top + height / 2);
    const part = seen.map((each) => each.closest('[data-part="tool"]')).find((each) => each !== null);
    return part?.getAttribute('data-part-id') ?? '';
  });
const numberOf = (id: string) => Number(id.slice('call'.length));

test.each([
  { count: 300, height: 640 },
  { count: 300, height: 1_000 },
  { count: 2_000, height: 640 },
])(
  '$count calls of one reply are in a page of $height pixels only near the reader',
  async ({ count, height }) => {
    const panel = await open({ events: reply(count, 'bash'), height });
    await panel.page.locator('[data-part="text"]').waitFor();
    for (const share of [1, 0.75, 0.5, 0.25, 0]) {
      await scrollTo(panel, share);
      if (share < 1) await expect.poll(() => inSight(panel)).toMatch(/^call/);
      await expect.poll(() => nodes(panel), { message: `at ${share}` }).toBeLessThan(LIMIT);
    }
    expect(await drawnIds(panel)).not.toContain(`call${count / 2}`);
  },
);

test.each([300, 2_000])('each of %i calls is met in order on the way down', async (count) => {
  const panel = await open({ events: reply(count, 'bash') });
  await panel.page.locator('[data-part="text"]').waitFor();
  await scrollTo(panel, 0);
  await rest(panel);
  const met = new Set<string | null>();
  const isAtEnd = () => log(panel).evaluate((el) => el.scrollTop + el.clientHeight >= el.scrollHeight - 1);
  do {
    for (const id of await drawnIds(panel)) met.add(id);
    await log(panel).evaluate((element) => element.scrollBy({ top: element.clientHeight }));
    await rest(panel, 3);
  } while (!(await isAtEnd()));
  for (const id of await drawnIds(panel)) met.add(id);
  const all = Array.from({ length: count }, (_, index) => `call${index}`);
  expect([...met].sort()).toEqual(all.sort());
});

test('calls that are made while one looks on leave the page as the newest come', async () => {
  const [prompt, begun, ...rest] = reply(400, 'bash');
  const panel = await open({ events: [prompt, begun].filter((event) => event !== undefined) });
  for (let at = 0; at < rest.length; at += 100) await panel.emit(...rest.slice(at, at + 100));
  await panel.page.locator('[data-part="text"]').waitFor();
  await expect.poll(() => nodes(panel)).toBeLessThan(LIMIT);
  const ids = await drawnIds(panel);
  expect(ids).toContain('call399');
  expect(ids).not.toContain('call100');
});

test('reads that are folded into lines are not in the page until they are opened', async () => {
  const panel = await open({ events: reply(2_000, 'read') });
  await panel.page.locator('[data-part="text"]').waitFor();
  expect(await nodes(panel)).toBeLessThan(LIMIT);
  await panel.page.locator('.group > .disclosure').last().click();
  await panel.page.locator('[data-part-id="call1999"]').waitFor();
  expect(await nodes(panel)).toBeLessThan(LIMIT);
});

test.each(['bash', 'read'] as const)('find goes to a %s call that is far out of the page', async (tool) => {
  const panel = await open({ events: reply(2_000, tool) });
  await panel.page.locator('[data-part="text"]').waitFor();
  await panel.page.keyboard.press('Control+f');
  await panel.page.getByRole('textbox', { name: 'Find' }).fill('call1000.');
  await expect.poll(() => panel.page.locator('.find-count').textContent()).toBe('1 of 1');
  const found = panel.page.locator('[data-part-id="call1000"]');
  await expect.poll(() => found.count()).toBe(1);
  const isSeen = () =>
    found.evaluate((part) => {
      const { left, top } = part.getBoundingClientRect();
      return part.contains(document.elementFromPoint(left + 40, top + 4));
    });
  await expect.poll(isSeen).toBe(true);
  await expect.poll(() => nodes(panel)).toBeLessThan(LIMIT);
});

test('the keyboard goes from call to call, also to those that are out of the page', async () => {
  const panel = await open({ events: reply(300, 'bash') });
  await panel.page.locator('[data-part="text"]').waitFor();
  const focused = () =>
    panel.page.evaluate(() => document.activeElement?.getAttribute('data-part-id') ?? 'none');
  const walked: string[] = [];
  await scrollTo(panel, 0);
  for (let step = 0; step < 120; step += 1) {
    await panel.page.keyboard.press('Alt+j');
    walked.push(await focused());
    // Far away the reader looks at something else; the next step goes on from where the focus is.
    if (step === 50) await scrollTo(panel, 1);
  }
  const calls = walked.filter((id) => id.startsWith('call')).map(numberOf);
  expect(calls.length).toBeGreaterThan(100);
  expect(calls).toEqual(calls.map((_, index) => (calls[0] ?? 0) + index));
});

test('a page that is loaded again stands where it stood among many calls', async () => {
  const panel = await open({ events: reply(2_000, 'bash') });
  await panel.page.locator('[data-part="text"]').waitFor();
  await scrollTo(panel, 0.5);
  await expect.poll(() => inSight(panel)).toMatch(/^call/);
  await rest(panel);
  await readingIsKept(panel);
  const before = await inSight(panel);
  await panel.reload();
  await expect.poll(() => inSight(panel)).toBe(before);
});
