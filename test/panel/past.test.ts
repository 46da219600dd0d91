import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ModelEvent } from '../../extension/core/ports/model.ts';
import { ScriptedModel, type ScriptedReply } from '../../extension/core/ports/testing/scripted-model.ts';
import { LogWindow } from '../../extension/core/view/log-window.ts';
import { seriousObstacles } from '../support/axe.ts';
import type { PanelDesk } from '../support/host/panel-desk.ts';
import { rest } from '../support/panel-scroll.ts';
import { calls, says } from '../support/scenario.ts';
import { useDesk } from '../support/use-desk.ts';

const openDesk = useDesk();

/** A run of so many steps: looks at a file in each, and tells of it. */
const run = (first: number, turns: number): ModelEvent[][] => [
  ...Array.from({ length: turns }, (_, index): ModelEvent[] => [
    { type: 'text', text: `I look for the time ${first + index}.` },
    ...calls(first + index, ['read', { path: 'notes.txt' }]),
  ]),
  says('That is all.'),
];

/** Two runs of several sections. */
async function begin(more: ModelEvent[][] = []): Promise<{ desk: PanelDesk; page: Page }> {
  const model = new ScriptedModel(...run(1, 30), ...run(101, 30), ...more);
  const desk = await openDesk(model);
  await writeFile(join(desk.root, 'notes.txt'), 'What is known.\n'.repeat(3));
  await desk.panel.submit('Look at it');
  await desk.panel.submit('Look again');
  const page = await desk.view.page();
  await expect.poll(async () => (await drawn(page)).slice(-3).join()).toMatch(/time 130.*That is all/s);
  await rest({ page });
  return { desk, page };
}

const log = (page: Page): Locator => page.locator('[role="log"]');
const banner = (page: Page): Locator => page.getByRole('region', { name: 'Earlier point in time' });
const slider = (page: Page): Locator => page.getByRole('slider', { name: 'Event' });
const input = (page: Page): Locator => page.locator('textarea');

/** What is drawn of the newest sections: parts with their states and words. */
const drawn = (page: Page): Promise<string[]> =>
  log(page).evaluate((element) =>
    [...element.querySelectorAll<HTMLElement>('[data-section] [data-part]')].map((part) =>
      [part.dataset.partId, part.dataset.state, part.textContent].join(' '),
    ),
  );

/** The same as soon as it stays so. */
async function settled(page: Page): Promise<string[]> {
  let before: string[] | undefined;
  const isSettled = async () => {
    const now = await drawn(page);
    const isSame = now.join('\n') === before?.join('\n');
    before = now;
    return isSame;
  };
  await expect.poll(isSettled, { interval: 200 }).toBe(true);
  return before ?? [];
}

/** The part at the upper edge, and how many pixels of it are above. */
const reading = (page: Page) =>
  log(page).evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const parts = [...element.querySelectorAll<HTMLElement>('[data-part-id]:not(.sticky *)')];
    const part = parts.find((each) => each.getBoundingClientRect().bottom > top + 1);
    return [part?.dataset.partId, Math.round(top - (part?.getBoundingClientRect().top ?? 0))];
  });

const last = ({ sessions }: PanelDesk): number => sessions.shown.log.events.at(-1)?.seq ?? 0;
const seqOf = ({ sessions }: PanelDesk, type: string, count: number): number =>
  sessions.shown.log.events.filter((event) => event.type === type)[count]?.seq ?? 0;

/** As a page shows it to which the session came to its end at event `seq`. */
async function asThen(desk: PanelDesk, page: Page, seq: number): Promise<string[]> {
  const then = new LogWindow(desk.sessions.shown.log.events.slice(0, seq));
  const parts = then.section(then.lines.length - 1);
  const ids = parts.flatMap((event) => (event.type === 'tool_call' ? [event.id] : []));
  const shown = await drawn(page);
  expect(shown.at(-1)).toBeDefined();
  expect(shown.filter((part) => ids.some((id) => part.startsWith(`${id} `)))).toHaveLength(ids.length);
  return shown;
}

test('the panel shows the session as it was, and goes back to now with draft, scroll and focus', async () => {
  const { desk, page } = await begin();
  await input(page).fill('A draft');
  await input(page).focus();
  await log(page).evaluate((element) => element.scrollTo({ top: 500 }));
  await expect.poll(() => drawn(page)).toContainEqual(expect.stringContaining('call_1 '));
  const before = await reading(page);

  const seq = seqOf(desk, 'tool_call', 24);
  desk.panel.travel.goTo(seq);
  await expect.poll(() => banner(page).textContent()).toContain(`Viewing event ${seq} of ${last(desk)}`);
  const shown = await asThen(desk, page, seq);
  expect(shown.at(-1)).toMatch(/pending.*notes\.txt/);
  expect(await page.getByText('That is all.').count()).toBe(0);
  expect(await input(page).isVisible()).toBe(false);
  await expect.poll(() => slider(page).evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await seriousObstacles(page.mainFrame())).toEqual([]);

  await page.getByRole('button', { name: 'Back to Now' }).click();
  await banner(page).waitFor({ state: 'detached' });
  await expect.poll(() => reading(page)).toEqual(before);
  expect(await input(page).inputValue()).toBe('A draft');
  await expect.poll(() => input(page).evaluate((element) => element === document.activeElement)).toBe(true);
});

test('by keyboard: arrow keys, Home and End, and Escape; the slider says what each event was', async () => {
  const { desk, page } = await begin();
  const seq = seqOf(desk, 'tool_call', 10);
  desk.panel.travel.goTo(seq);
  await slider(page).waitFor();
  const says = (words: string) =>
    expect.poll(() => slider(page).getAttribute('aria-valuetext')).toContain(words);
  await says(`${seq}. read notes.txt`);
  await page.keyboard.press('ArrowLeft');
  await says(`${seq - 1}. Response: I look for the time 11.`);
  await page.keyboard.press('Home');
  await says('1. session_started');
  await page.keyboard.press('End');
  await says(`${last(desk)}. Run ended`);
  await expect.poll(async () => (await drawn(page)).at(-1)).toContain('That is all.');
  await page.keyboard.press('Escape');
  await banner(page).waitFor({ state: 'detached' });
  expect(desk.panel.travel.past).toBeUndefined();
});

test('at every event, going there from any other shows the same', async () => {
  const { desk, page } = await begin();
  const show = async (seq: number) => {
    desk.panel.travel.goTo(seq);
    await expect.poll(() => banner(page).textContent()).toContain(`event ${seq} of`);
    return (await drawn(page)).slice(-12);
  };
  const places = [5, 60, 61, 62, 200, 201, 199, 120, last(desk) - 1, 300, 60, 5];
  const first = new Map<number, string[]>();
  for (const seq of places) {
    const parts = await show(seq);
    expect(first.get(seq) ?? parts).toEqual(parts);
    first.set(seq, parts);
  }
  // Beside a page that has seen nothing else.
  const other = await desk.another();
  const otherPage = await other.view.page();
  await expect.poll(() => log(otherPage).locator('[data-part]').count()).toBeGreaterThan(0);
  await other.sessions.whole();
  other.panel.travel.goTo(200);
  await expect.poll(() => banner(otherPage).textContent()).toContain('event 200 of');
  expect((await drawn(otherPage)).slice(-12)).toEqual(first.get(200));
});

test('what is shown of a point in time is what the panel had drawn when the session stood there', async () => {
  const goOn: (() => void)[] = [];
  const later = (events: readonly ModelEvent[]): ScriptedReply =>
    async function* () {
      await new Promise<void>((resolve) => goOn.push(resolve));
      yield* events;
    };
  const look = (call: number, path: string) =>
    later([{ type: 'text', text: `I look at ${path}.` }, ...calls(call, ['read', { path }])]);
  const model = new ScriptedModel(
    look(1, 'notes.txt'),
    look(2, 'none.txt'),
    later(says('That is all.')),
    look(3, 'notes.txt'),
    later(says('As before.')),
  );
  const desk = await openDesk(model);
  await writeFile(join(desk.root, 'notes.txt'), 'What is known.\n'.repeat(3));
  const page = await desk.view.page();
  const then = new Map<number, string[]>();
  const note = async () => then.set(last(desk), await settled(page));
  for (const [prompt, replies] of [
    ['Look at it', 3],
    ['Look again', 2],
  ] as const) {
    const run = desk.panel.submit(prompt);
    for (let reply = 0; reply < replies; reply += 1) {
      await expect.poll(() => goOn.length).toBe(1);
      await note();
      goOn.pop()?.();
    }
    await run;
    await note();
  }
  expect([...then.values()].map((parts) => parts.length)).toEqual([1, 3, 5, 6, 7, 9, 10]);
  for (const [seq, parts] of [...then].reverse()) {
    desk.panel.travel.goTo(seq);
    await expect.poll(() => banner(page).textContent()).toContain(`event ${seq} of`);
    expect(await settled(page), `at event ${seq}`).toEqual(parts);
  }
});

test('what happens meanwhile does not disturb the past, and is there after it', async () => {
  const { desk, page } = await begin([says('Something new.')]);
  desk.panel.travel.goTo(40);
  await banner(page).waitFor();
  const before = await drawn(page);
  // From elsewhere: this panel's own prompts bring it back to now.
  await desk.sessions.use((session) => session.prompt('Go on', []));
  expect(await drawn(page)).toEqual(before);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => banner(page).textContent()).toContain(`41 of ${last(desk)}`);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await drawn(page)).at(-1)).toContain('Something new.');
});

test('a page that comes anew is in the past too, and another session is not', async () => {
  const { desk, page } = await begin();
  desk.panel.travel.goTo(40);
  await banner(page).waitFor();
  const before = await drawn(page);
  await desk.view.kill('reload');
  const anew = await desk.view.page();
  await expect.poll(() => banner(anew).textContent()).toContain('event 40 of');
  await expect.poll(() => drawn(anew)).toEqual(before);
  await desk.sessions.startNew();
  await banner(anew).waitFor({ state: 'detached' });
  expect(desk.panel.travel.past).toBeUndefined();
});

test('a step within a section sends next to nothing, and many at once are gathered', async () => {
  const { desk, page } = await begin();
  const seq = seqOf(desk, 'tool_call', 10);
  desk.panel.travel.goTo(seq);
  await slider(page).waitFor();
  // The section comes after the slider.
  await expect.poll(async () => (await drawn(page)).at(-1)).toMatch(/pending.*notes\.txt/);
  await settled(page);
  await page.evaluate(() => {
    const sizes: number[] = [];
    Object.assign(window, { sizes });
    window.addEventListener('message', ({ data }) => {
      if (data.type !== 'ping') sizes.push(JSON.stringify(data).length);
    });
  });
  const sizes = () => page.evaluate(() => Reflect.get(window, 'sizes') as number[]);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => banner(page).textContent()).toContain(`event ${seq - 1} of`);
  expect(await sizes()).toHaveLength(1);
  expect((await sizes())[0]).toBeLessThan(1_000);
  // As a pointer drags it: all in one task of the page.
  await slider(page).evaluate((element: HTMLInputElement, from) => {
    for (let value = from; value > from - 40; value -= 1) {
      element.value = String(value);
      element.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }, seq - 2);
  await expect.poll(() => banner(page).textContent()).toContain(`event ${seq - 41} of`);
  expect((await sizes()).length).toBeLessThanOrEqual(4);
  expect(await slider(page).inputValue()).toBe(String(seq - 41));
});
