import { expect, test } from 'vitest';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { call, request, requestEnd, result, text } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { rest } from '../support/panel-scroll.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const prompt = (content: string): EventDraft => ({ type: 'user', content });
const filler = (count: number) =>
  Array.from({ length: count }, (_, index) => `Filler number ${index}.`).join('\n\n');
/** A prompt with a long answer, so that the next one is out of sight. */
const talk = (index: number): EventDraft[] => [
  prompt(`Prompt ${index}`),
  request(index),
  text(filler(8)),
  requestEnd(index),
];
const talks = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => talk(from + index)).flat();

const field = (panel: PanelPage) => panel.page.getByRole('textbox', { name: 'Find' });
const count = (panel: PanelPage) => panel.page.locator('.find-count');
/** What is painted as the match that was gone to, and whether it can be seen. */
const current = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const [place] = (CSS.highlights.get('find-current') ?? []) as Iterable<StaticRange>;
    if (!place) return undefined;
    const range = document.createRange();
    range.setStart(place.startContainer, place.startOffset);
    range.setEnd(place.endContainer, place.endOffset);
    const { left, top } = range.getBoundingClientRect();
    const seen = document.elementFromPoint(left + 1, top + 2);
    const element = place.startContainer.parentElement as HTMLElement;
    return {
      text: range.toString(),
      part: element.closest('[data-part-id]')?.getAttribute('data-part-id'),
      line: element.textContent,
      isSeen: seen !== null && (element.contains(seen) || seen.contains(element)),
    };
  });
const painted = (panel: PanelPage) => panel.page.evaluate(() => CSS.highlights.get('find')?.size ?? 0);
const find = async (panel: PanelPage, query: string) => {
  await panel.page.keyboard.press('Control+f');
  await field(panel).fill(query);
};

test('finds all over a long session, counts, and goes to each in turn', async () => {
  const panel = await open({
    events: [
      ...talks(1, 40),
      prompt('A needle here'),
      ...talks(41, 80),
      text('and **nee**dle `there`'),
      ...talks(81, 120),
    ],
  });
  await panel.page.getByText('Prompt 119').waitFor();
  await find(panel, 'needle');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 2');
  await expect
    .poll(() => current(panel))
    .toMatchObject({ text: 'needle', line: 'A needle here', isSeen: true });
  await panel.page.keyboard.press('Enter');
  await expect.poll(() => count(panel).textContent()).toBe('2 of 2');
  await expect.poll(() => current(panel)).toMatchObject({ text: 'needle', isSeen: true });
  await panel.page.keyboard.press('F3');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 2');
  await panel.page.keyboard.press('Shift+F3');
  await expect.poll(() => count(panel).textContent()).toBe('2 of 2');
  expect(await field(panel).evaluate((element) => element === document.activeElement)).toBe(true);
});

test('opens whatever hides a match: a group, a card, thinking', async () => {
  const read = (id: string, content: string) => [
    call(id, 'read', { path: `${id}.ts` }),
    result(id, { content }),
  ];
  const panel = await open({
    events: [
      prompt('Look'),
      request(1),
      { type: 'reasoning', content: 'Hm, a needle in my thoughts.' },
      ...read('r1', 'nothing'),
      ...read('r2', 'one\ntwo needle\nthree needle'),
      ...read('r3', 'nothing'),
      call('b1', 'bash', { command: 'echo needle' }),
      result('b1', { stdout: '\u001b[31mnee\u001b[0mdle\n', stderr: '', exitCode: 0 }),
      requestEnd(1),
      ...talks(2, 12),
    ],
  });
  await find(panel, 'needle');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 5');
  const lines: (string | undefined)[] = [];
  for (let index = 1; index <= 5; index += 1) {
    await expect.poll(() => count(panel).textContent()).toBe(`${index} of 5`);
    await expect.poll(() => current(panel)).toMatchObject({ text: 'needle', isSeen: true });
    lines.push((await current(panel))?.part ?? '');
    await panel.page.keyboard.press('Enter');
  }
  expect(lines).toEqual(['1.1', 'r2', 'r2', 'b1', 'b1']);
});

test.each([
  ['en', '', 'exit 7'],
  ['de', 'de', 'Exitcode 7'],
])('what a card says on its line is found, and marked there, in %s', async (_, language, exit) => {
  const panel = await open({
    ...(language && { language }),
    events: [
      prompt('Look'),
      request(1),
      call('b1', 'bash', { command: 'npm test' }),
      result('b1', { stdout: '', stderr: '', exitCode: 7 }, { milliseconds: 4_200 }),
      call('b2', 'bash', { command: 'ls' }),
      result('b2', { stdout: '', stderr: '', exitCode: 0 }),
      requestEnd(1),
    ],
  });
  await panel.page.keyboard.press('Control+f');
  await panel.page.keyboard.type('BASH');
  await expect.poll(() => painted(panel)).toBe(2);
  await expect.poll(() => current(panel)).toMatchObject({ text: 'bash', part: 'b1', isSeen: true });
  await expect.poll(() => count(panel).textContent()).toMatch(/^1 \S+ 2$/);
  await panel.page.keyboard.press('Enter');
  await expect.poll(() => current(panel)).toMatchObject({ text: 'bash', part: 'b2', isSeen: true });
  await panel.page.locator('.find input').fill(exit);
  await expect.poll(() => current(panel)).toMatchObject({ text: exit, part: 'b1', isSeen: true });
  await expect.poll(() => painted(panel)).toBe(1);
  await expect.poll(() => count(panel).textContent()).toMatch(/^1 \S+ 1$/);
});

test('a match deep in a long text is drawn and gone to', async () => {
  const code = Array.from({ length: 3_000 }, (_, index) => `const line${index} = ${index};`);
  code[2_222] = 'const needle = 1;';
  const panel = await open({
    events: [
      prompt('Write'),
      request(1),
      text(`Look:\n\n\`\`\`ts\n${code.join('\n')}\n\`\`\`\n\nDone.`),
      ...talks(2, 6),
    ],
  });
  await find(panel, 'const needle');
  await expect.poll(() => current(panel)).toMatchObject({ text: 'const needle', isSeen: true });
  await field(panel).fill('const line1234 ');
  await expect.poll(() => current(panel)).toMatchObject({ text: 'const line1234 ', isSeen: true });
  await field(panel).fill('const line7');
  await expect.poll(() => count(panel).textContent()).toMatch(/ of 111$/);
});

test('case, whole words and expressions are asked for as in VS Code', async () => {
  const panel = await open({ events: [prompt('Needle needles NEEDLE n33dle')] });
  await find(panel, 'needle');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 3');
  await panel.page.keyboard.press('Alt+c');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 1');
  await panel.page.keyboard.press('Alt+w');
  await expect.poll(() => count(panel).textContent()).toBe('No results');
  await panel.page.keyboard.press('Alt+c');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 2');
  await panel.page.keyboard.press('Alt+r');
  await field(panel).fill('n.{2}dle');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 3');
  await expect.poll(() => painted(panel)).toBe(3);
  await field(panel).fill('n(');
  await expect.poll(() => count(panel).textContent()).toBe('Invalid regular expression');
  expect(await field(panel).getAttribute('aria-invalid')).toBe('true');
  await field(panel).fill('Needle');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 2');
  await panel.page.keyboard.press('Alt+c');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 1');
});

test('an expression that would take for ever is refused, and the page stays alive', async () => {
  const panel = await open({ events: [prompt(`${'a'.repeat(60)}!`), text('More')] });
  await find(panel, 'x');
  await panel.page.keyboard.press('Alt+r');
  await field(panel).fill('(a+)+$');
  await expect.poll(() => count(panel).textContent()).toBe('This expression takes too long');
  expect(await painted(panel)).toBe(0);
  await field(panel).fill('a{3}');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 20');
});

test('what comes while it is open is counted and painted, and the reader stays where she is', async () => {
  const panel = await open({ events: [prompt('needle'), ...talks(1, 6), request(6)] });
  await find(panel, 'needle');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 1');
  const before = await current(panel);
  await panel.emit(text('A needle, and a needle.'));
  await expect.poll(() => count(panel).textContent()).toBe('1 of 3');
  expect(await current(panel)).toEqual(before);
  await panel.stream({ type: 'text_delta', session: 'session-1', text: 'needle' });
  await panel.page.keyboard.press('Shift+Enter');
  await expect.poll(() => count(panel).textContent()).toBe('3 of 3');
  await expect.poll(() => painted(panel)).toBeGreaterThanOrEqual(3);
});

test('a page that comes back counts again, and goes nowhere', async () => {
  const panel = await open({ events: [...talks(1, 10), prompt('needle'), ...talks(11, 20)] });
  await find(panel, 'needle');
  await expect.poll(() => current(panel)).toMatchObject({ text: 'needle', isSeen: true });
  const log = panel.page.locator('[role="log"]');
  const top = () => log.evaluate((element) => element.scrollTop);
  const before = await top();
  await log.hover();
  await panel.page.mouse.wheel(0, 2_000);
  await expect.poll(top).not.toBe(before);
  await rest(panel);
  const there = await top();
  panel.append([prompt('another needle')]);
  await panel.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => count(panel).textContent()).toBe('1 of 2');
  expect(Math.abs((await top()) - there)).toBeLessThanOrEqual(1);
});

test('Esc closes it first, gives the focus back, and leaves nothing painted', async () => {
  const panel = await open({ events: [prompt('needle'), { type: 'turn_started', turn: 1 }] });
  await panel.input.fill('Draft');
  await find(panel, 'needle');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 1');
  await panel.page.keyboard.press('Escape');
  expect(await field(panel).count()).toBe(0);
  expect(await panel.input.evaluate((element) => element === document.activeElement)).toBe(true);
  await expect.poll(() => painted(panel)).toBe(0);
  // The first one counts for a while only.
  await panel.holdTimers();
  await panel.page.keyboard.press('Escape');
  await panel.page.keyboard.press('Escape');
  expect(await panel.messages('run/cancel')).toHaveLength(1);
});

test('a selection is what is looked for; nothing moves when the widget comes and goes', async () => {
  const panel = await open({ events: talks(1, 20) });
  await panel.page.getByText('Prompt 19').waitFor();
  const log = panel.page.locator('[role="log"]');
  await log.hover();
  const end = await log.evaluate((element) => element.scrollTop);
  await panel.page.mouse.wheel(0, -900);
  await expect.poll(() => log.evaluate((element) => element.scrollTop)).not.toBe(end);
  await rest(panel);
  const mark = panel.page.getByText('Filler number 5.', { exact: true }).last();
  const top = () => mark.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const before = await top();
  await panel.page.keyboard.press('Control+f');
  await field(panel).waitFor();
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1);
  await panel.page.keyboard.press('Escape');
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1);
  await mark.evaluate((element) => getSelection()?.selectAllChildren(element));
  await panel.page.keyboard.press('Control+f');
  expect(await field(panel).inputValue()).toBe('Filler number 5.');
});

test('it is at home in a narrow panel and has names', async () => {
  const panel = await open({ width: 200, events: [prompt('needle')] });
  await find(panel, 'needle');
  await expect.poll(() => count(panel).textContent()).toBe('1 of 1');
  await panel.page.getByRole('search', { name: 'Find' }).waitFor();
  for (const name of [
    'Match Case',
    'Match Whole Word',
    'Use Regular Expression',
    'Previous Match',
    'Next Match',
    'Close',
  ]) {
    const box = await panel.page.getByRole('button', { name, exact: true }).boundingBox();
    expect(box?.x, name).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThanOrEqual(200);
  }
  const { y = 0 } = (await panel.part('user').boundingBox()) ?? {};
  const widget = await panel.page.getByRole('search').boundingBox();
  expect(y).toBeGreaterThanOrEqual((widget?.y ?? 0) + (widget?.height ?? 0));
});
