import { expect, test } from 'vitest';
import type { Delta } from '../../extension/protocol/delta.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { seriousObstacles } from '../support/axe.ts';
import { call, request, result } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const begin: EventDraft[] = [
  { type: 'user', content: 'Do it' },
  { type: 'turn_started', turn: 1 },
  request(1),
  call('c1', 'bash', { command: 'make' }),
];
const running: EventDraft[] = [...begin, { type: 'tool_started', id: 'c1' }];
const output: Delta = {
  type: 'tool_output_delta',
  session: 'session-1',
  id: 'c1',
  stream: 'stdout',
  text: 'compiling\n',
};
const started = (id: string, command: string, moved?: true): EventDraft => ({
  type: 'background_started',
  id,
  call: 'c1',
  command,
  process: { pid: 1, started: '', mark: '', file: '/home/output' },
  ...(moved && { moved }),
});
const list = (panel: PanelPage) => panel.page.getByRole('list', { name: 'Background commands' });
const item = (panel: PanelPage, command: string) =>
  list(panel).getByRole('listitem').filter({ hasText: command });
const hasFocus = (panel: PanelPage) => panel.input.evaluate((input) => input === document.activeElement);

test('a running command is moved to the background or stopped, by keys alone, and the run goes on', async () => {
  const panel = await open({ events: running });
  await panel.stream(output);
  for (const name of ['Run in Background: make', 'Stop: make']) {
    await panel.part('tool').getByRole('button', { name, exact: true }).focus();
    await panel.page.keyboard.press('Enter');
    expect(await hasFocus(panel)).toBe(true);
  }
  expect(await panel.messages('call/act')).toEqual(
    ['background', 'stop'].map((action) => ({ type: 'call/act', session: 'session-1', id: 'c1', action })),
  );
  expect(await panel.messages('run/cancel')).toEqual([]);
});

test('a call that has ended, is no command, or is another window’s has no such buttons', async () => {
  const buttons = (panel: PanelPage) => panel.page.getByRole('button', { name: /Run in Background/ }).count();
  expect(await buttons(await open({ events: [...running, result('c1', { exitCode: 0 })] }))).toBe(0);
  const read = call('c2', 'read', { path: 'a' });
  const reading: EventDraft[] = [...begin.slice(0, 3), read, { type: 'tool_started', id: 'c2' }];
  expect(await buttons(await open({ events: reading }))).toBe(0);
  expect(await buttons(await open({ events: running, state: { readOnly: true } }))).toBe(0);
});

test('what runs in the background is listed, shown, kept and stopped, by keys alone', async () => {
  const panel = await open({
    events: [...begin, started('bg1', 'npm run dev'), started('bg2', 'make', true)],
  });
  await item(panel, 'npm run dev').getByText('Runs in the background as bg1').waitFor();
  await item(panel, 'make').getByText('Runs in the background until the window reloads').waitFor();
  expect(await item(panel, 'make').getByRole('button', { name: 'Keep' }).count()).toBe(0);
  for (const name of ['Show', 'Keep', 'Stop']) {
    await item(panel, 'npm run dev').getByRole('button', { name, exact: true }).focus();
    await panel.page.keyboard.press('Enter');
  }
  expect(await hasFocus(panel)).toBe(true);
  expect((await panel.posted()).filter(({ type }) => type.startsWith('background/'))).toEqual([
    { type: 'background/show', session: 'session-1', id: 'bg1' },
    { type: 'background/keep', session: 'session-1', id: 'bg1', kept: true },
    { type: 'background/stop', session: 'session-1', id: 'bg1' },
  ]);
  expect(await seriousObstacles(panel.page.mainFrame())).toEqual([]);
});

test('the list is gone when nothing runs, and says whether a command is kept', async () => {
  const panel = await open({ events: [...begin, started('bg1', 'npm run dev')] });
  await panel.emit({ type: 'background_changed', id: 'bg1', kept: true });
  await item(panel, 'npm run dev').getByRole('button', { name: 'Keep', pressed: true }).waitFor();
  await panel.emit({ type: 'background_ended', id: 'bg1', exitCode: 0 });
  await list(panel).waitFor({ state: 'detached' });
});

test('another window’s commands are listed without buttons', async () => {
  const panel = await open({
    events: [...begin, started('bg1', 'npm run dev')],
    state: { readOnly: true },
  });
  await item(panel, 'npm run dev').waitFor();
  expect(await list(panel).getByRole('button').count()).toBe(0);
});
