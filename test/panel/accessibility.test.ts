import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { cutOff } from '../support/cut-off.ts';
import { ask, call, request, result, text } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import type { ThemeName } from '../support/themes.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const header = ' _  _ \n| || |\n';
const everything: EventDraft[] = [
  { type: 'user', content: 'Do it', attachments: ['/repo/a.ts'] },
  { type: 'turn_started', turn: 1 },
  request(1),
  { type: 'reasoning', content: 'Because.' },
  text(
    '# Head\n\nSome `code` and [a link](https://example.com).\n\n- one\n- two\n\n```ts\nconst x = 1; // a line that is long enough to have to be scrolled in a narrow panel\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  ),
  call('c1', 'read', { path: 'a.ts' }),
  result('c1', { error: 'file not found: a.ts' }, { isError: true }),
  call('c2', 'edit', { path: 'a.ts' }),
  result('c2', {}, { added: 1, removed: 2 }),
  {
    type: 'plan',
    steps: [
      { title: 'Read', status: 'completed' },
      { title: 'Write', status: 'in_progress' },
    ],
  },
  { type: 'notice', message: 'A note' },
  call('c3', 'bash', { command: 'npm test' }),
  ask('c3', 'bash', 'high'),
  { type: 'error', message: 'It failed.', code: 'auth', retryable: true },
];

async function violations(panel: PanelPage): Promise<string[]> {
  await panel.page.evaluate(axe);
  return panel.page.evaluate(async () => {
    // A view beside an editor is no document with a headline, and the header's art is a logotype.
    const results = await Reflect.get(window, 'axe').run(
      { exclude: [['[data-part="header"]']] },
      { rules: { 'page-has-heading-one': { enabled: false } } },
    );
    return results.violations.flatMap(
      ({ id, nodes }: { id: string; nodes: { html: string; any: { message: string }[] }[] }) =>
        nodes.map((node) => `${id}: ${node.html} ${node.any[0]?.message ?? ''}`),
    );
  });
}

const themes: ThemeName[] = ['dark', 'light', 'high-contrast'];

test.each(themes)('axe finds nothing to object to in the theme %s', async (theme) => {
  const busy = await open({ theme, state: { header, demo: true }, events: everything });
  await busy.part('permission').locator('[aria-disabled="false"]').first().waitFor();
  await busy.send({ type: 'file/shared', file: { name: 'a.ts', path: 'src/a.ts' } });
  await busy.page.getByRole('button', { name: 'Share a.ts with the prompt' }).click();
  expect(await violations(busy)).toEqual([]);
  const empty = await open({
    theme,
    state: { header, ready: false, trusted: false, suggestions: ['Explain a.ts'] },
  });
  await empty.page.getByText('Explain a.ts').waitFor();
  expect(await violations(empty)).toEqual([]);
});

test('axe finds nothing to object to in the help', async () => {
  const panel = await open();
  await panel.page.keyboard.press('F1');
  await panel.page.getByRole('dialog').waitFor();
  expect(await violations(panel)).toEqual([]);
});

test.each(themes)(
  'axe finds nothing to object to while something is found, in the theme %s',
  async (theme) => {
    const panel = await open({ theme, width: 200, events: everything.slice(0, 5) });
    await panel.page.keyboard.press('Control+f');
    await panel.page.keyboard.type('e');
    await panel.page.locator('.find-count', { hasText: ' of ' }).waitFor();
    expect(await violations(panel)).toEqual([]);
  },
);

test.each(themes)(
  'axe finds nothing to object to at an earlier point in time, in the theme %s',
  async (theme) => {
    const panel = await open({ theme, width: 200, events: everything });
    await panel.goTo(5, 'Viewing event 5 of 9 · 14:02 · 41k tokens');
    await panel.page.getByRole('slider', { name: 'Event' }).waitFor();
    expect(await violations(panel)).toEqual([]);
    expect(await panel.page.locator('[aria-live="polite"]').textContent()).toContain('Viewing event 5');
  },
);

test('whole blocks and questions are announced, not words, and nothing of the past', async () => {
  const panel = await open({ events: [...everything.slice(0, 3), text('Long ago')] });
  const polite = panel.page.locator('[aria-live="polite"]');
  const assertive = panel.page.locator('[aria-live="assertive"]');
  expect(await polite.textContent()).toBe('');
  await panel.stream({ type: 'text_delta', session: 'session-1', text: 'Half' });
  expect(await polite.textContent()).toBe('');
  await panel.emit(text('Half and whole.'));
  expect(await polite.textContent()).toBe('Half and whole.');
  await panel.emit(ask('c9', 'bash', 'high'));
  expect(await assertive.textContent()).toBe('Approval needed, high risk: Run a command in /repo');
  expect(await panel.page.locator('[role="log"]').getAttribute('aria-live')).toBe('off');
});

test('a growing answer is heard as its blocks are closed, in words', async () => {
  const panel = await open({ events: everything.slice(0, 3) });
  const polite = panel.page.locator('[aria-live="polite"]');
  const stream = (words: string) => panel.stream({ type: 'text_delta', session: 'session-1', text: words });
  await stream('See [y](src/a.ts:3)\n\n| a | **b** |\n|---|---|\n');
  expect(await polite.textContent()).toBe('See y');
  await stream('| 1 | 2 |\n');
  expect(await polite.textContent()).toBe('See y');
  await stream('\nThe end\n');
  await stream('is near');
  expect(await polite.textContent()).toBe('Table, 1 row\na, b\n1, 2');
  await stream('.\n\nMore\n');
  expect(await polite.textContent()).toBe('The end is near.');
});

test('what had grown before the page was loaded is not heard', async () => {
  const panel = await open({ events: everything.slice(0, 3) });
  const polite = panel.page.locator('[aria-live="polite"]');
  const delta = (words: string) => ({ type: 'text_delta', session: 'session-1', text: words });
  const update = { type: 'update', events: [], starts: [] };
  await panel.send({ ...update, deltas: [delta('Old.\n\nNew\n')], isPast: true });
  expect(await polite.textContent()).toBe('');
  await panel.send({ ...update, deltas: [delta('\nOpen\n')] });
  expect(await polite.textContent()).toBe('New');
});

test('what is said twice is heard twice', async () => {
  const panel = await open({ events: everything.slice(0, 3) });
  await panel.emit({ type: 'notice', message: 'Same' });
  const changes = panel.page.evaluate(
    () =>
      new Promise((resolve) => {
        const region = document.querySelector('[aria-live="polite"]') as Element;
        new MutationObserver(() => resolve(region.textContent)).observe(region, {
          childList: true,
          characterData: true,
          subtree: true,
        });
      }),
  );
  await panel.emit({ type: 'notice', message: 'Same' });
  expect(await changes).toBe('Same');
});

// 160 is a panel of 320 pixels at a zoom of 200 %.
test.each([160, 200, 300, 900])('nothing is cut off at a width of %s pixels', async (width) => {
  const panel = await open({ width, state: { header, demo: true, trusted: false }, events: everything });
  const path = `/repo/${'folder/'.repeat(9)}file.json`;
  const action = {
    title: `Change ${path}?`,
    detail: path,
    warnings: [`Can change how other tools run: ${path}`],
  };
  await panel.emit({ type: 'permission_request', id: 'c3', tool: 'write', risk: 'high', action });
  await panel.part('permission').getByText('Can change how other tools run').waitFor();
  expect(await cutOff(panel.page)).toEqual([]);
});

test('help begins with its first key, where not all of them have room', async () => {
  const panel = await open({ width: 200, height: 420 });
  await panel.page.keyboard.press('F1');
  const help = panel.page.getByRole('dialog', { name: 'Help' });
  await help.waitFor();
  const seen = await help.evaluate(({ scrollTop, scrollHeight, clientHeight }) => [
    scrollTop,
    scrollHeight > clientHeight,
  ]);
  expect(seen).toEqual([0, true]);
});

test('without motion nothing pulses', async () => {
  const panel = await open({ events: everything.slice(0, 3) });
  const animation = () =>
    panel.page.locator('.icon.busy').evaluate((icon) => getComputedStyle(icon).animationName);
  expect(await animation()).toBe('pulse');
  await panel.page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await animation()).toBe('none');
  await panel.page.emulateMedia({ reducedMotion: 'no-preference' });
  await panel.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
  expect(await animation()).toBe('none');
});

test('everything can be reached by keyboard, in the order of the page, and shows that it has the focus', async () => {
  const panel = await open({ state: { header }, events: everything });
  await panel.part('permission').locator('[aria-disabled="false"]').first().waitFor();
  await panel.page.locator('[role="log"]').focus();
  const tops: number[] = [];
  const unseen: string[] = [];
  for (let step = 0; step < 20; step += 1) {
    await panel.page.keyboard.press('Tab');
    const focus = await panel.page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const log = document.querySelector('[role="log"]') as HTMLElement;
      return {
        inLog: log.contains(element),
        // A prompt that stays in sight has its place where its section begins.
        top:
          (element.closest('.sticky')?.parentElement ?? element).getBoundingClientRect().top + log.scrollTop,
        html: element.outerHTML.slice(0, 80),
        isOutlined: outlineStyle !== 'none' && outlineWidth !== '0px',
        own: !element.tagName.startsWith('VSCODE'),
      };
    });
    if (!focus.inLog) break;
    tops.push(focus.top);
    if (focus.own && !focus.isOutlined) unseen.push(focus.html);
  }
  expect(tops.length).toBeGreaterThan(8);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  expect(unseen).toEqual([]);
});
