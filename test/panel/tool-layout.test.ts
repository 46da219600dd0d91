// How a card uses its room.
import { expect, test } from 'vitest';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { call, request, result } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const begin: EventDraft[] = [
  { type: 'user', content: 'Do it' },
  { type: 'turn_started', turn: 1 },
  request(1),
];

test('in the narrowest panel the outcome, the end of a path and the numbers of a change are in sight', async () => {
  const path = `src/${'folder/'.repeat(9)}file.ts`;
  const panel = await open({
    width: 200,
    events: [
      ...begin,
      call('c1', 'read', { path }),
      result('c1', { content: '' }),
      call('c2', 'bash', { command: 'npm run test -- --reporter=verbose' }),
      result('c2', { exitCode: 1 }, { milliseconds: 4_200 }),
      call('c3', 'edit', { path }),
      result('c3', {}, { added: 120, removed: 30 }),
    ],
  });
  const isWhole = (selector: string) =>
    panel.page.locator(selector).evaluate((element) => {
      const { right } = element.getBoundingClientRect();
      return element.scrollWidth <= element.clientWidth && right <= window.innerWidth;
    });
  expect(await isWhole('[data-part-id="c2"] .outcome')).toBe(true);
  expect(await isWhole('[data-part-id="c3"] .changes')).toBe(true);
  const gap = await panel.page.locator('[data-part-id="c1"] .subject').evaluate((subject) => {
    const range = document.createRange();
    range.selectNodeContents(subject);
    return subject.getBoundingClientRect().right - range.getBoundingClientRect().right;
  });
  expect(Math.abs(gap)).toBeLessThan(1);
});

const places = (panel: PanelPage, ...selectors: string[]) =>
  panel.page.evaluate(
    (all) => all.map((selector) => document.querySelector(selector)?.getBoundingClientRect().toJSON()),
    selectors,
  );

test.each([200, 250, 320, 420])(
  'at a width of %s pixels what belongs together stays together, and a path has all the room there is',
  async (width) => {
    const path = `packages/${'folder/'.repeat(9)}file.ts`;
    const panel = await open({
      width,
      state: { modelName: 'Claude Sonnet 5' },
      events: [
        ...begin,
        call('c1', 'edit', { path: 'src/date.js' }),
        result('c1', {}, { added: 1, removed: 1 }),
        call('c2', 'write', { path }),
        result('c2', {}, { added: 128, removed: 64 }),
        { type: 'usage', inputTokens: 42_000, outputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0 },
      ],
    });
    for (const id of ['c1', 'c2']) {
      const card = `[data-part-id="${id}"]`;
      const [changes, diff] = await places(panel, `${card} .changes`, `${card} .quiet`);
      const middle = (place: DOMRect) => place.top + place.height / 2;
      expect(Math.abs(middle(changes) - middle(diff)), id).toBeLessThan(3);
      expect(changes.left, 'not before the words').toBeGreaterThanOrEqual(34);
    }
    const [name, subject, words] = await places(
      panel,
      '[data-part-id="c2"] .name',
      '[data-part-id="c2"] .subject',
      '[data-part-id="c2"] .words',
    );
    expect(Math.abs(name.top - subject.top)).toBeLessThan(3);
    expect(words.right - subject.right).toBeLessThan(3);
    const [mention, attach] = await places(
      panel,
      '.composer-tools > :first-child',
      '.composer-tools > :last-child',
    );
    expect(mention.top).toBe(attach.top);
  },
);

test('an outcome begins with a mark only where it stands behind its call', async () => {
  const seen = async (width: number) => {
    const panel = await open({
      width,
      events: [
        ...begin,
        call('c1', 'bash', { command: 'npm run test:unit' }),
        result('c1', { stdout: '', stderr: '', exitCode: 1 }, { milliseconds: 4_200 }),
      ],
    });
    const [separator, words] = await places(panel, '.outcome .separator', '.words');
    return separator.right > words.left + 1;
  };
  expect(await seen(420)).toBe(true);
  expect(await seen(200)).toBe(false);
});

test('of long output the end is in sight, and it fades where there is more', async () => {
  const output = (id: string, lines: number) =>
    result(id, { stdout: Array.from({ length: lines }, (_, at) => `line ${at}\n`).join(''), exitCode: 1 });
  const panel = await open({
    events: [
      ...begin,
      call('c1', 'bash', { command: 'a' }),
      output('c1', 60),
      call('c2', 'bash', { command: 'b' }),
      output('c2', 3),
    ],
  });
  const fades = (id: string) =>
    panel.page
      .locator(`[data-part-id="${id}"]`)
      .getByRole('region', { name: 'Result' })
      .evaluate((box) => {
        const { top, bottom } = box.getBoundingClientRect();
        const text = box.querySelector('pre')?.getBoundingClientRect();
        const style = getComputedStyle(box);
        return {
          isAtEnd: Math.abs((text?.bottom ?? 0) - bottom) <= 1,
          isCut: (text?.top ?? 0) < top - 1,
          fade: style.getPropertyValue('--fade-end') !== '0px',
        };
      });
  await expect.poll(() => fades('c1')).toEqual({ isAtEnd: true, isCut: true, fade: true });
  await expect.poll(() => fades('c2')).toEqual({ isAtEnd: true, isCut: false, fade: false });
});
