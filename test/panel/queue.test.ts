import { expect, test } from 'vitest';
import type { EventDraft } from '../../extension/protocol/events.ts';
import type { QueuedPrompt } from '../../extension/protocol/queue-messages.ts';
import { seriousObstacles } from '../support/axe.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const running: EventDraft[] = [
  { type: 'user', content: 'Do it' },
  { type: 'turn_started', turn: 1 },
];
const ended: EventDraft = { type: 'turn_ended', turn: 1, reason: 'cancelled' };
const prompt = (id: string, state: QueuedPrompt['state'] = 'waiting'): QueuedPrompt => ({
  id,
  text: `Prompt ${id}`,
  state,
});
const items = (panel: PanelPage) =>
  panel.page.getByRole('list', { name: 'Queued prompts' }).getByRole('listitem');
const item = (panel: PanelPage, id: string) => items(panel).filter({ hasText: `Prompt ${id}` });
const hasFocus = (panel: PanelPage) => panel.input.evaluate((input) => input === document.activeElement);

test('while a run is on, Enter and the Send button queue, and Alt+Enter says it to the run', async () => {
  const panel = await open({ events: running });
  await panel.page.keyboard.type('later');
  await panel.page.keyboard.press('Enter');
  await panel.page.keyboard.type('after that');
  await panel.page.locator('[aria-label="Send"]').click();
  await panel.input.focus();
  await panel.page.keyboard.type('at once');
  await panel.page.keyboard.press('Alt+Enter');
  expect((await panel.posted()).filter(({ type }) => type.startsWith('prompt/'))).toEqual([
    { type: 'prompt/submit', session: 'session-1', text: 'later' },
    { type: 'prompt/submit', session: 'session-1', text: 'after that' },
    { type: 'prompt/steer', session: 'session-1', text: 'at once' },
  ]);
  expect(await panel.input.inputValue()).toBe('');
});

test('what waits is listed in order, each to be edited, removed or sent, by keys alone', async () => {
  const panel = await open({ events: running, state: { queue: [prompt('a'), prompt('b', 'steering')] } });
  expect(await items(panel).allInnerTexts()).toEqual([
    expect.stringMatching(/Prompt a[\s\S]*Queued[\s\S]*Send Now[\s\S]*Edit[\s\S]*Remove/),
    expect.stringMatching(/Prompt b[\s\S]*Sends at next step[\s\S]*Edit[\s\S]*Remove/),
  ]);
  for (const name of ['Send Now', 'Edit', 'Remove']) {
    await item(panel, 'a').getByRole('button', { name, exact: true }).focus();
    await panel.page.keyboard.press('Enter');
    expect(await hasFocus(panel)).toBe(true);
  }
  expect((await panel.posted()).filter(({ type }) => type.startsWith('queue/'))).toEqual(
    ['queue/send', 'queue/edit', 'queue/remove'].map((type) => ({ type, session: 'session-1', id: 'a' })),
  );
});

test('a queued image without words is listed by its name', async () => {
  const attachments = [{ name: `attachments/${'a'.repeat(64)}.png`, title: 'shot.png', bytes: 1 }];
  const panel = await open({
    events: running,
    state: { queue: [{ ...prompt('a'), text: '', attachments }] },
  });
  await items(panel).getByText('shot.png').waitFor();
});

test('a queued prompt leaves the queue when the draft that holds it was given to the host, and comes but once', async () => {
  const panel = await open({ events: running, state: { queue: [prompt('a')] } });
  await panel.page.keyboard.type('see');
  const edited = { type: 'queue/edited', session: 'session-1', id: 'a', text: 'Prompt a', attachments: [] };
  await panel.send({ ...edited, session: 'session-2' });
  expect(await panel.messages('queue/taken')).toEqual([]);
  await panel.send(edited);
  await panel.send(edited);
  expect(await panel.input.inputValue()).toBe('see Prompt a');
  const told = (await panel.posted()).filter(({ type }) => type === 'draft/save' || type === 'queue/taken');
  expect(told.slice(-3)).toMatchObject([
    { type: 'draft/save', draft: { text: 'see Prompt a' } },
    { type: 'queue/taken', session: 'session-1', id: 'a' },
    { type: 'queue/taken', session: 'session-1', id: 'a' },
  ]);
});

test('a button keeps the focus while another prompt leaves the list', async () => {
  const panel = await open({ events: running, state: { queue: [prompt('a'), prompt('b')] } });
  const edit = item(panel, 'b').getByRole('button', { name: 'Edit' });
  await edit.focus();
  await panel.setState({ queue: [{ ...prompt('b'), state: 'steering' }] });
  expect(await items(panel).count()).toBe(1);
  expect(await edit.evaluate((button) => button === document.activeElement)).toBe(true);
});

test('after a stop the prompts wait for the user, who can send them', async () => {
  const panel = await open({ events: running, state: { queue: [prompt('a', 'held')] } });
  await panel.emit(ended);
  await item(panel, 'a').getByText('On hold').waitFor();
  await item(panel, 'a').getByRole('button', { name: 'Send', exact: true }).click();
  expect(await panel.messages('queue/send')).toHaveLength(1);
});

test('a screen reader hears that a prompt is queued, and axe has no objection', async () => {
  const panel = await open({ events: running, width: 200 });
  await panel.setState({ queue: [prompt('a'), prompt('b', 'held')] });
  await panel.page
    .locator('[aria-live]')
    .getByText('2 prompts are queued')
    .first()
    .waitFor({ state: 'attached' });
  expect(await seriousObstacles(panel.page.mainFrame())).toEqual([]);
});

test('a long queue at 200 px leaves room for the input and does not scroll sideways', async () => {
  const queue = Array.from({ length: 30 }, (_, index) => ({
    ...prompt(String(index)),
    text: 'word '.repeat(200),
  }));
  const panel = await open({ events: running, width: 200, height: 500, state: { queue } });
  await items(panel).first().waitFor();
  expect(await panel.page.evaluate(() => document.documentElement.scrollWidth)).toBe(200);
  const box = await panel.input.boundingBox();
  expect(box && box.y + box.height).toBeLessThanOrEqual(500);
  const list = panel.page.getByRole('list', { name: 'Queued prompts' });
  expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('an earlier prompt is edited in the input and runs again from there; the draft comes back', async () => {
  const panel = await open({ events: [...running, { ...ended, reason: 'done' }] });
  await panel.page.keyboard.type('a draft');
  await panel.part('user').hover();
  await panel.part('user').getByRole('button', { name: 'Edit this prompt' }).click();
  expect(await panel.input.inputValue()).toBe('Do it');
  expect(await hasFocus(panel)).toBe(true);
  await panel.page.getByText('Editing an earlier prompt').first().waitFor();
  await panel.page.keyboard.type(' better');
  await panel.page.keyboard.press('Enter');
  expect(await panel.messages('prompt/fork')).toEqual([
    { type: 'prompt/fork', session: 'session-1', before: 1, text: 'Do it better' },
  ]);
  expect(await panel.input.inputValue()).toBe('a draft');
  expect(await panel.page.locator('.editing').count()).toBe(0);
});

test('Esc leaves the editing, and stops nothing', async () => {
  const panel = await open({ events: running });
  // A hint stands for a while only.
  await panel.holdTimers();
  await panel.page.keyboard.type('a draft');
  await panel.part('user').getByRole('button', { name: 'Edit this prompt' }).focus();
  await panel.page.keyboard.press('Enter');
  await panel.page.keyboard.press('Enter');
  await panel.page.getByRole('status').getByText('A run is still active').waitFor();
  expect(await panel.messages('prompt/fork')).toEqual([]);
  await panel.page.keyboard.press('Escape');
  expect(await panel.input.inputValue()).toBe('a draft');
  expect(await panel.messages('run/cancel')).toEqual([]);
  await panel.page.keyboard.press('Enter');
  expect(await panel.messages('prompt/submit')).toHaveLength(1);
});

test('the editing outlives the page', async () => {
  const panel = await open({ events: [...running, ended] });
  await panel.page.keyboard.type('a draft');
  await panel.part('user').getByRole('button', { name: 'Edit this prompt' }).focus();
  await panel.page.keyboard.press('Enter');
  await panel.page.keyboard.type('!');
  await panel.reload();
  await panel.page.locator('.editing').waitFor();
  expect(await panel.input.inputValue()).toBe('Do it!');
  await panel.page.getByRole('button', { name: 'Cancel (Esc)' }).click();
  expect(await panel.input.inputValue()).toBe('a draft');
});

test('the summary of a compaction can be opened, and shows no markup of its own', async () => {
  const panel = await open({
    events: [...running, { type: 'compaction', summary: '<b>We did it.</b>', through: 2 }],
  });
  const notice = panel.part('notice');
  expect(await notice.getByText('We did it').count()).toBe(0);
  await notice.getByRole('button', { name: 'Summary' }).click();
  expect(await notice.locator('.summary').textContent()).toBe('<b>We did it.</b>');
});

test('what the session has cost is shown in a dialog, which Esc closes', async () => {
  const usage = {
    inputTokens: 1200,
    outputTokens: 300,
    cacheReadTokens: 1000,
    cacheWriteTokens: 0,
    cost: 0.5,
  };
  const panel = await open({ events: [...running, { type: 'usage', ...usage }] });
  await panel.page.locator('button.usage').click();
  expect(await panel.messages('cost/get')).toHaveLength(1);
  const model = { provider: 'anthropic', model: 'claude', requests: 2, ...usage };
  await panel.send({
    type: 'cost',
    session: 'session-1',
    ledger: { prompts: 3, milliseconds: 61_000, models: [model] },
  });
  const dialog = panel.page.getByRole('dialog', { name: 'Cost' });
  expect(await dialog.textContent()).toMatch(
    /Prompts3[\s\S]*1 min 1 s[\s\S]*anthropic\/claude[\s\S]*1,200[\s\S]*\$0\.50/,
  );
  expect(await dialog.textContent()).not.toContain('taken over');
  expect(await seriousObstacles(panel.page.mainFrame())).toEqual([]);
  await panel.send({
    type: 'cost',
    session: 'session-1',
    ledger: { prompts: 1, milliseconds: 0, models: [], isFork: true },
  });
  await dialog.getByText('Does not include the session').waitFor();
  await panel.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await hasFocus(panel)).toBe(true);
});
