import { expect, test } from 'vitest';
import { LogAt } from '../../../../extension/core/view/log-at.ts';
import { LogWindow } from '../../../../extension/core/view/log-window.ts';
import type { EventDraft, SessionEvent } from '../../../../extension/protocol/events.ts';
import type { HostMessage, PastPoint } from '../../../../extension/protocol/messages.ts';
import { PastPage } from '../../../../extension/vscode/panel/past-content.ts';
import { call, request, requestEnd, result, storedEvents, text } from '../../../support/panel-events.ts';

const turn = (number: number): EventDraft[] => [
  request(number),
  text('I look.'),
  call(`c${number}`, 'read', { path: 'a.txt' }),
  requestEnd(number),
  result(`c${number}`, {}),
];
const session = (turns: number): EventDraft[] => [
  { type: 'user', content: 'Do it' },
  ...Array.from({ length: turns }, (_, index) => turn(index + 1)).flat(),
];

/** A page that is shown the past of a log. */
function open(log: LogWindow) {
  const said: HostMessage[] = [];
  const page = new PastPage((message) => said.push(message));
  const travel: { past: LogAt | undefined } = { past: undefined };
  const goTo = async (seq: number | undefined): Promise<PastPoint | undefined> => {
    travel.past = seq === undefined ? undefined : new LogAt(log, seq);
    await page.show('session-1', log, travel);
    const message = said.at(-1);
    return message?.type === 'past' ? message.at : undefined;
  };
  return { page, travel, said, goTo };
}

test('a section is sent once, and what a step sends does not grow with the session', async () => {
  const sizes: number[][] = [];
  for (const turns of [40, 20_000]) {
    const log = new LogWindow(storedEvents(session(turns)));
    const { goTo } = open(log);
    const first = await goTo(60);
    expect(first?.events).toEqual(log.section(log.sectionOf(60)));
    const near = await goTo(59);
    expect(near).toMatchObject({ seq: 59, label: expect.any(String) });
    expect(near?.events).toBeUndefined();
    const far = await goTo(120);
    expect(far?.events).toEqual(log.section(log.sectionOf(120)));
    sizes.push([first, near, far].map((point) => JSON.stringify({ ...point, last: 0, title: '' }).length));
  }
  expect(sizes[0]).toEqual(sizes[1]);
});

test('a page that begins anew, and one that comes back from now, gets the section again', async () => {
  const { page, goTo } = open(new LogWindow(storedEvents(session(40))));
  await goTo(60);
  page.forget();
  expect((await goTo(59))?.events).toBeDefined();
  expect(await goTo(undefined)).toBeUndefined();
  expect((await goTo(59))?.events).toBeDefined();
});

test('of a section that has grown, what is new is sent', async () => {
  const log = new LogWindow(storedEvents([{ type: 'user', content: 'Do it' }, ...turn(1)]));
  const { goTo } = open(log);
  expect((await goTo(6))?.events).toHaveLength(6);
  log.apply(storedEvents(turn(2), 7));
  expect((await goTo(5))?.events).toBeUndefined();
  expect((await goTo(8))?.events).toHaveLength(11);
});

test('what was cut in memory is loaded whole; a place that was left meanwhile is not shown', async () => {
  const whole = storedEvents(session(2));
  const cut = whole.map((event): SessionEvent => ({ ...event, elided: { lines: 1 } }));
  const loads: (() => void)[] = [];
  const log = new LogWindow(cut, async (first, last) => {
    await new Promise<void>((resolve) => loads.push(resolve));
    return whole.filter(({ seq }) => first <= seq && seq <= last);
  });
  const { goTo, said } = open(log);
  const left = goTo(5);
  const shown = goTo(4);
  for (const load of loads) load();
  await Promise.all([left, shown]);
  expect(said.map((message) => message.type === 'past' && message.at?.seq)).toEqual([4]);
  expect(said).toMatchObject([{ at: { events: whole } }]);
});

const usage = (inputTokens: number, cost?: number): EventDraft => ({
  type: 'usage',
  inputTokens,
  outputTokens: 100,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  ...(cost !== undefined && { cost }),
});

const changed = (...names: string[]): EventDraft => ({
  type: 'files_changed',
  id: 'call',
  by: 'tool',
  changes: names.map((name) => {
    const after = { kind: 'file', hash: name, size: 1, mode: 0o644 } as const;
    return { path: `/repo/${name}`, before: { kind: 'absent' }, after };
  }),
});

test('the line above the past says what had been changed, used and paid by then, and nothing of what came after', async () => {
  const log = new LogWindow(
    storedEvents([
      { type: 'user', content: 'Do it' },
      usage(4_900),
      usage(9_900, 0.05),
      changed('a', 'b'),
      changed('c'),
      usage(20_400, 1.2),
    ]),
  );
  const { goTo } = open(log);
  const titleAt = async (seq: number) => (await goTo(seq))?.title.split(' · ').toSpliced(1, 1);
  expect(await titleAt(1)).toEqual(['Viewing event 1 of 6']);
  expect(await titleAt(2)).toEqual(['Viewing event 2 of 6', '5k tokens']);
  expect(await titleAt(3)).toEqual(['Viewing event 3 of 6', '10k tokens', '$0.050']);
  const after = (files: string) => [`${files} files changed`, '10k tokens', '$0.050'];
  expect(await titleAt(4)).toEqual(['Viewing event 4 of 6', ...after('2')]);
  expect(await titleAt(5)).toEqual(['Viewing event 5 of 6', ...after('3')]);
  expect(await titleAt(6)).toEqual(['Viewing event 6 of 6', '3 files changed', '20.5k tokens', '$1.25']);
  expect((await goTo(3))?.title).toContain(new Date(3_000).toLocaleTimeString('en', { timeStyle: 'short' }));
});
