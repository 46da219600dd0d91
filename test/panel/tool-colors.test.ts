import { expect, test } from 'vitest';
import { shownOutput } from '../../extension/core/tools/bash/shown-output.ts';
import type { Delta } from '../../extension/protocol/delta.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { hardToRead } from '../support/contrast.ts';
import { call, request, result } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import type { ThemeName } from '../support/themes.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const ESC = '\u001b';
const begin: EventDraft[] = [
  { type: 'user', content: 'Run it' },
  { type: 'turn_started', turn: 1 },
  request(1),
];
const output = (text: string): Delta => ({
  type: 'tool_output_delta',
  session: 'session-1',
  id: 'c1',
  stream: 'stdout',
  text,
});
const toggle = (panel: PanelPage, id: string) =>
  panel.page.locator(`[data-part-id="${id}"] .disclosure`).click();

test('colours of a result are those of a terminal', async () => {
  const panel = await open({
    events: [
      ...begin,
      call('c1', 'bash', { command: 'npm test' }),
      result('c1', { stdout: `${ESC}[1;31mFAIL${ESC}[0m a\n`, stderr: '\u0000err\u202e', exitCode: 1 }),
    ],
  });
  expect(await panel.part('tool').getByRole('region', { name: 'Result' }).textContent()).toBe(
    'FAIL a\nerr\\u{202e}',
  );
  expect(await panel.part('tool').locator('.sgr-31.sgr-1').textContent()).toBe('FAIL');
});

test('a finished command shows its output as it came, in colour, of a long one the beginning and the end', async () => {
  const coloured = Array.from({ length: 900 }, (_, index) => `${ESC}[32mstep ${index}${ESC}[0m\n`).join('');
  const shown = shownOutput(`${coloured}${ESC}[31mFAIL${ESC}[0m`);
  if (!shown) throw new Error('There are no colours.');
  const panel = await open({
    events: [
      ...begin,
      call('c1', 'bash', { command: 'npm test' }),
      result('c1', { stdout: 'without colours', stderr: '', exitCode: 0 }, { shown }),
    ],
  });
  await toggle(panel, 'c1');
  const box = panel.part('tool').getByRole('region', { name: 'Result' });
  expect(await box.textContent()).toMatch(/^step 0\n[\s\S]*\nstep 99\n…\nstep 801\n[\s\S]*\nstep 899\nFAIL$/);
  expect(await box.locator('.sgr-32').count()).toBe(199);
  expect(await box.locator('.sgr-31').textContent()).toBe('FAIL');
  expect(await panel.part('tool').textContent()).toContain('… (701 more lines)');
  await panel.part('tool').getByRole('button', { name: 'Show All' }).click();
  expect(await panel.messages('result/open')).toEqual([
    { type: 'result/open', session: 'session-1', id: 'c1' },
  ]);
});

test.each([
  'command timed out after 2 s and was ended\nstdout so far:\nFAIL\n',
  // Of an older version.
  'command timed out after 2 s and was ended; stdout so far: FAIL\nstderr so far: ',
])('a command that was ended says why, above its coloured output: %j', async (error) => {
  const shown = { start: `${ESC}[31mFAIL${ESC}[0m` };
  const panel = await open({
    events: [
      ...begin,
      call('c1', 'bash', { command: 'npm test' }),
      result('c1', { error }, { shown, isError: true }),
    ],
  });
  const boxes = panel.part('tool').getByRole('region', { name: 'Result' });
  expect(await boxes.allTextContents()).toEqual(['command timed out after 2 s and was ended', 'FAIL']);
  expect(await boxes.locator('.sgr-31').textContent()).toBe('FAIL');
});

test('of a rainbow the page draws no more than of other output', async () => {
  const line = Array.from({ length: 20 }, (_, at) => `${ESC}[3${at % 8}mx`).join('');
  const shown = { start: `${line}\n`.repeat(100), end: `${line}\n`.repeat(100), moreLines: 5 };
  const panel = await open({
    events: [...begin, call('c1', 'bash', { command: 'lolcat' }), result('c1', {}, { shown })],
  });
  await toggle(panel, 'c1');
  expect(await panel.page.locator('*').count()).toBeLessThan(2_000);
});

const everyColor = [30, 90].flatMap((first) =>
  Array.from({ length: 8 }, (_, at) => first + at).flatMap((code) => [
    `${code}`,
    `${code + 10}`,
    `7;${code}`,
    `1;${code}`,
  ]),
);

test.each<ThemeName>(['dark', 'light', 'high-contrast'])(
  'each colour can be read in the theme %s',
  async (theme) => {
    const panel = await open({
      theme,
      events: [...begin, call('c1', 'bash'), { type: 'tool_started', id: 'c1' }],
    });
    const words = [...everyColor, '7', '2'].map((codes) => `${ESC}[${codes}m${codes}${ESC}[0m\n`);
    await toggle(panel, 'c1');
    const unreadable: string[] = [];
    for (let at = 0; at < words.length; at += 30) {
      await panel.stream(output(words.slice(at, at + 30).join('')));
      unreadable.push(...(await hardToRead(panel.page.mainFrame())));
    }
    expect(unreadable).toEqual([]);
  },
);
