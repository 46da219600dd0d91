import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { ModelEvent } from '../../extension/core/ports/model.ts';
import { makeGate } from '../support/gate.ts';
import type { Death } from '../support/host/bridged-view.ts';
import type { PanelDesk } from '../support/host/panel-desk.ts';
import { SteppedModel } from '../support/host/stepped-model.ts';
import { anotherEditor } from '../support/host/vscode-bridge.ts';
import { calls, says } from '../support/scenario.ts';
import { useDesk } from '../support/use-desk.ts';

/** HARNESS_SEED tries other moments and orders. */
const SEED = Number(process.env.HARNESS_SEED ?? 20_261_121);
/** Of a busy machine. */
const PATIENCE = { timeout: 30_000 };

const openDesk = useDesk();
beforeAll(() => console.log(`The seed is ${SEED}.`));

/** What the model does in a run: looks at files, and tells of each. */
function longRun(turns: number): ModelEvent[][] {
  const turn = (number: number): ModelEvent[] => [
    { type: 'text_delta', text: `I look at file ${number}.\n\n` },
    { type: 'text_delta', text: '- one\n- two' },
    { type: 'text', text: `I look at file ${number}.\n\n- one\n- two` },
    ...calls(number, toolOf(number)),
  ];
  return [...Array.from({ length: turns }, (_, index) => turn(index + 1)), says('That is **all**.')];
}

function toolOf(number: number): [string, Record<string, unknown>] {
  if (number % 5 === 0) return ['bash', { command: `echo printed ${number}` }];
  return ['read', { path: number % 7 === 0 ? 'missing.txt' : 'notes.txt' }];
}

/** A session whose first run is over, in the middle of its second one. */
async function begin(
  turns: number,
): Promise<{ desk: PanelDesk; step(): Promise<boolean>; ended: Promise<unknown> }> {
  const model = new SteppedModel([...longRun(6), ...longRun(turns)]);
  const desk = await openDesk(model);
  await writeFile(join(desk.root, 'notes.txt'), 'What is known.\n'.repeat(30));
  const first = desk.panel.submit('Look at some files');
  for (let step = 0; step < 6 * 5 + 3; step += 1) await model.step();
  await first;
  const ended = desk.panel.submit('Look at all files');
  return { desk, step: () => model.step(), ended };
}

/** The first card of the first run. */
const CARD = 'call_1';

const logOf = (page: Page): Locator => page.locator('[role="log"]');

/** A part as the page says it, with its section. */
type Said = readonly [
  section: number,
  kind: string | null,
  id: string | null,
  state: string | null,
  text: string,
];

/** The parts that are in the page now, in order; folded lines among them as one part. */
const drawn = (page: Page): Promise<Said[]> =>
  logOf(page).evaluate((log) =>
    [...log.querySelectorAll<HTMLElement>('[data-section] :is([data-part], .group > .disclosure)')].map(
      (part) => [
        Number(part.closest<HTMLElement>('[data-section]')?.dataset.section),
        part.getAttribute('data-part'),
        part.getAttribute('data-part-id'),
        part.getAttribute('data-state'),
        part.textContent,
      ],
    ),
  );

/** The conversation from its beginning to its end, screen by screen. What is met is there once, in its order. */
async function shown(page: Page): Promise<Said[]> {
  let met: Said[] = [];
  await scroll(page, Number.NEGATIVE_INFINITY);
  for (let isEnd = false; !isEnd; isEnd = await scroll(page, 0.75)) met = joined(met, await drawn(page));
  return joined(met, await drawn(page));
}

/** Moves by so many screens, and resolves when what comes into sight is drawn, with whether that is the end. */
const scroll = (page: Page, screens: number): Promise<boolean> =>
  logOf(page).evaluate(
    async (log, by) => {
      log.scrollTo({ top: by < 0 ? 0 : log.scrollTop + by * log.clientHeight });
      const frame = () => new Promise(requestAnimationFrame);
      const { top, bottom } = log.getBoundingClientRect();
      const isInSight = (element: Element) => {
        const box = element.getBoundingClientRect();
        return box.height > 0 && box.bottom > top && box.top < bottom;
      };
      // What stands for a section that has not come, or for rows that are not drawn; spaces are not within a section.
      const isEmpty = () =>
        [...log.querySelectorAll('[data-section] > :empty, [data-undrawn]')].some(isInSight) ||
        ![...log.querySelectorAll('[data-section]')].some(isInSight);
      do for (let count = 0; count < 3; count += 1) await frame();
      while (isEmpty());
      return log.scrollTop + log.clientHeight >= log.scrollHeight - 1;
    },
    Math.max(screens, -1),
  );

/**
 * What is new in `next` comes behind what it stands behind there. A prompt that stays in sight above its answer may have a
 * hole behind it, which `met` has.
 */
function joined(met: readonly Said[], next: readonly Said[]): Said[] {
  const all = [...met];
  let last = all.length - 1;
  for (const part of next) {
    const known = all.findIndex((other) => [0, 2, 4].every((at) => part[at] === other[at]));
    last = known < 0 ? last + 1 : known;
    if (known < 0) all.splice(last, 0, part);
  }
  return all;
}

/** Where the reader is: the part at the upper edge, and how many pixels of it are above. */
const readingOf = (page: Page) =>
  logOf(page).evaluate((log) => {
    const { top } = log.getBoundingClientRect();
    const parts = [...log.querySelectorAll('[data-part-id]:not(.sticky *)')];
    const part = parts.find((element) => element.getBoundingClientRect().bottom > top + 1);
    return {
      part: part?.getAttribute('data-part-id'),
      offset: Math.round(top - (part?.getBoundingClientRect().top ?? 0)),
    };
  });

/** The conversation in a page of a window that has seen nothing of how it came about. */
async function fresh(desk: PanelDesk): Promise<unknown> {
  const other = await desk.another();
  const page = await standing(other);
  const parts = await shown(page);
  const sections = [...new Set(parts.map(([section]) => section))];
  expect(sections.length).toBeGreaterThan(1);
  expect(sections).toEqual(sections.map((_, index) => index));
  await other.dispose();
  return parts;
}

/** The page, as soon as it is there again and shows the session. */
async function standing({ view }: PanelDesk): Promise<Page> {
  const isThere = async () => {
    const page = await view.page();
    // A dead page answers nothing, and another one comes.
    return (
      (await page
        .locator('[data-part]')
        .count()
        .catch(() => 0)) > 0
    );
  };
  await expect.poll(isThere, PATIENCE).toBe(true);
  return view.page();
}

/** What a reader would miss. */
async function kept(page: Page, part: string | null | undefined) {
  const { part: atEdge, offset } = await readingOf(page);
  const card = page.locator(`[data-part-id="${CARD}"] .disclosure[aria-expanded="true"]`);
  return {
    draft: await page.locator('textarea').inputValue(),
    isOpen: (await card.count()) === 1,
    isThere: atEdge === part,
    offset,
  };
}

/** Types, opens a card of the first run, and scrolls so that another part of it is at the edge. Resolves when VS Code keeps it. */
async function settleDown({ view }: PanelDesk, page: Page): Promise<Awaited<ReturnType<typeof readingOf>>> {
  await page.locator('textarea').fill('A draft');
  await logOf(page).evaluate((log) => log.scrollTo({ top: 40 }));
  await page.locator('[data-part="tool"] .disclosure').first().click();
  await logOf(page).evaluate((log) => log.scrollTo({ top: 333 }));
  const { part } = await readingOf(page);
  await expect
    .poll(() => view.state, PATIENCE)
    .toMatchObject({ draft: { text: 'A draft' }, expanded: { [CARD]: true }, reading: { part } });
  return readingOf(page);
}

/** The watch takes its time to find out about the first two. */
const way = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<Death | 'hide'>('crash', 'close') },
  { weight: 5, arbitrary: fc.constantFrom<Death | 'hide'>('reload', 'hide') },
);

test('a page that dies at a hundred moments of a run comes back each time, as it was', async () => {
  const turns = 60;
  const { desk, step, ended } = await begin(turns);
  const before = await settleDown(desk, await standing(desk));
  const options = { seed: SEED, numRuns: 1 };
  const all = turns * 5 + 3;
  const [moments = []] = fc.sample(
    fc.uniqueArray(fc.nat(all - 1), { minLength: 100, maxLength: 100 }),
    options,
  );
  const ways = fc.sample(way, { seed: SEED, numRuns: 100 });
  let deaths = 0;
  for (let moment = 0; moment < all; moment += 1) {
    await step();
    if (!moments.includes(moment)) continue;
    desk.view.show();
    const page = await standing(desk);
    await expect
      .poll(() => kept(page, before.part), PATIENCE)
      .toEqual({ draft: 'A draft', isOpen: true, isThere: true, offset: before.offset });
    const death = ways[deaths++];
    if (death === 'hide') desk.view.hide();
    else if (death) await desk.view.kill(death);
  }
  expect(deaths).toBe(100);
  await ended;
  desk.view.show();
  await (await standing(desk)).locator(`[data-part-id="${CARD}"] .disclosure`).click();
  await expectSameAsFresh(desk);
}, 600_000);

/** Whatever has happened, the user comes back, reads from the beginning, and sees what a fresh fold of the log gives. */
async function expectSameAsFresh(desk: PanelDesk): Promise<void> {
  const wanted = await fresh(desk);
  desk.view.show();
  anotherEditor.fire(undefined);
  const whole = async () => {
    const page = await standing(desk);
    return shown(page).catch(() => undefined);
  };
  await expect.poll(whole, PATIENCE).toEqual(wanted);
}

type Step = 'event' | 'hide' | 'show' | 'scroll' | Death;

async function take(step: Step, desk: PanelDesk, next: () => Promise<boolean>): Promise<void> {
  if (step === 'event') await next();
  else if (step === 'hide') desk.view.hide();
  else if (step === 'show') desk.view.show();
  else if (!desk.view.isVisible) return;
  else if (step !== 'scroll') await desk.view.kill(step);
  // A dead page scrolls nowhere.
  else
    await logOf(await desk.view.page())
      .evaluate((log) => log.scrollBy({ top: -200 }))
      .catch(() => undefined);
}

test('any order of events, hide, show, reload and death ends in what a fresh fold of the log shows', async () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<Step>('event') },
      { weight: 2, arbitrary: fc.constantFrom<Step>('hide', 'show', 'scroll', 'reload', 'crash', 'close') },
    ),
    { minLength: 30, maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const { desk, step, ended } = await begin(8);
      for (const happening of history) await take(happening, desk, step);
      while (await step());
      await ended;
      await expectSameAsFresh(desk);
      await desk.dispose();
    }),
    { numRuns: 6, seed: SEED, endOnFailure: true },
  );
}, 300_000);

test('what is put into the input of a panel that is hidden while its page begins is there when it is shown again', async () => {
  const desk = await openDesk(new SteppedModel([]));
  const begun = makeGate();
  await desk.holdBeginning(begun.opened);
  await desk.panel.insert('@notes.txt ');
  desk.view.hide();
  begun.open();
  await expect.poll(() => desk.view.lost).toContainEqual(expect.objectContaining({ type: 'draft' }));
  desk.view.show();
  const page = await desk.view.page();
  await expect.poll(() => page.locator('textarea').inputValue(), PATIENCE).toBe('@notes.txt ');
});
