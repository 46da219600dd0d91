import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Delta, EventDraft } from '../../extension/protocol/events.ts';
import { call, request, requestEnd, result, text } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';
import '../support/fixed-seed.ts';

const open = usePanel();
const session = 'session-1';
const words = (content: string): Delta => ({ type: 'text_delta', session, text: content });

/** A run of many turns, as its events come. */
function longRun(turns: number): EventDraft[] {
  const turn = (number: number): EventDraft[] => [
    request(number),
    text(`I look at file ${number}.\n\n- one\n- two`),
    call(`c${number}`, number % 3 === 0 ? 'bash' : 'read', { path: `src/${number}.ts`, command: 'ls' }),
    requestEnd(number),
    { type: 'tool_started', id: `c${number}` },
    result(`c${number}`, { content: 'found' }, { isError: number % 7 === 0 }),
  ];
  return [
    { type: 'user', content: 'Look at all files' },
    { type: 'turn_started', turn: 1 },
    ...Array.from({ length: turns }, (_, index) => turn(index + 1)).flat(),
    { type: 'turn_ended', turn: 1, reason: 'cancelled' },
  ];
}

/** What the page says in its last section. Those of one row are in the page also where they are folded away. */
const shown = (panel: PanelPage) =>
  panel.page.locator('[role="log"] [data-section]').evaluateAll((sections) =>
    sections
      .slice(-1)
      .flatMap((section) => [...section.querySelectorAll('[data-part]')])
      .map((part) => [
        part.getAttribute('data-part'),
        part.getAttribute('data-part-id'),
        part.getAttribute('data-state'),
        part.textContent,
      ]),
  );

/** The conversation in a page that has seen nothing of how it came about. */
async function fresh(panel: PanelPage): Promise<unknown> {
  const other = await open({ events: panel.drafts });
  const parts = await shown(other);
  await other.close();
  return parts;
}

test('a page that is killed at a hundred moments of a run shows the run each time', async () => {
  const panel = await open();
  await panel.input.fill('A draft');
  const run = longRun(50);
  const kills = new Set(
    fc.sample(fc.uniqueArray(fc.nat(run.length - 1), { minLength: 100, maxLength: 100 }), {
      numRuns: 1,
      seed: 7,
    })[0],
  );
  for (const [index, draft] of run.entries()) {
    if (kills.has(index)) {
      panel.append([draft]);
      await panel.page.reload();
    } else await panel.emit(draft);
  }
  expect(kills.size).toBe(100);
  await expect.poll(() => shown(panel)).toEqual(await fresh(panel));
  expect(await panel.input.inputValue()).toBe('A draft');
  expect(await panel.part('notice').last().textContent()).toContain('Stopped.');
}, 120_000);

type Step = (panel: PanelPage) => Promise<unknown>;

/** What can happen to a page, besides the events of the run. */
const happenings: Record<string, Step> = {
  reload: (panel) => panel.page.reload(),
  // VS Code drops what is posted to a hidden page.
  lose: async (panel) => panel.append([{ type: 'notice', message: 'While it was hidden' }]),
  show: (panel) => panel.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
  scrollUp: (panel) => panel.page.mouse.wheel(0, -400),
};

/** Of a block, some words come before the whole of it. */
async function grow(panel: PanelPage, next: EventDraft | undefined): Promise<void> {
  if (next?.type === 'text') await panel.stream(words('Some words '));
}

test('any order of hide, show, reload, growth and events ends in what a fresh page shows', async () => {
  const names = ['grow', ...Object.keys(happenings)];
  const history = fc.array(fc.oneof(fc.constant('event'), fc.constantFrom(...names)), {
    minLength: 30,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const panel = await open();
      await panel.page.locator('[role="log"]').hover();
      const run = longRun(12);
      for (const step of steps) {
        if (step === 'event') await panel.emit(...run.splice(0, 1));
        else if (step === 'grow') await grow(panel, run[0]);
        else await happenings[step]?.(panel);
      }
      await panel.input.waitFor();
      await panel.emit(...run, { type: 'notice', message: 'The end' });
      await panel.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      const end = panel.page.getByRole('button', { name: 'New content' });
      if (await end.isVisible()) await end.click();
      await expect.poll(() => shown(panel)).toEqual(await fresh(panel));
      await panel.close();
    }),
    { numRuns: 5 },
  );
}, 120_000);
