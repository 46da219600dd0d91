import { expect, test } from 'vitest';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { call, request, result } from '../support/panel-events.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const begin: EventDraft[] = [
  { type: 'user', content: 'Do it' },
  { type: 'turn_started', turn: 1 },
  request(1),
  call('c1', 'ask_user', { question: 'Which database?' }),
];
const asking = (...options: string[]): EventDraft => ({
  type: 'question',
  id: 'c1',
  question: 'Which database?',
  options,
});
const sent = (answer?: string) => ({
  type: 'question/answer',
  session: 'session-1',
  id: 'c1',
  ...(answer && { answer }),
});

test('an option answers once, and the card goes when the call has its result', async () => {
  const panel = await open({ events: [...begin, asking('PostgreSQL', 'SQLite')] });
  const card = panel.part('question');
  await card.getByRole('button', { name: 'SQLite' }).click();
  await card.getByRole('button', { name: 'PostgreSQL' }).click({ force: true });
  await expect.poll(() => panel.messages('question/answer')).toEqual([sent('SQLite')]);
  await panel.emit(result('c1', { answer: 'SQLite' }));
  await expect.poll(() => card.count()).toBe(0);
  await expect.poll(() => panel.part('tool').textContent()).toContain('SQLite');
});

test('the keyboard answers: the focus goes to the first option, and a number chooses', async () => {
  const panel = await open({ events: begin });
  await panel.emit(asking('PostgreSQL', 'SQLite'));
  await expect
    .poll(() => panel.page.evaluate(() => document.activeElement?.textContent))
    .toContain('PostgreSQL');
  await panel.part('question').locator('[aria-disabled="false"]').first().waitFor();
  await panel.page.keyboard.press('2');
  await expect.poll(() => panel.messages('question/answer')).toEqual([sent('SQLite')]);
});

test('an own answer may begin with a number, and Enter sends it', async () => {
  const panel = await open({ events: [...begin, asking('PostgreSQL')] });
  const field = panel.part('question').getByRole('textbox', { name: 'Your answer' });
  await field.pressSequentially('1 of each');
  await panel.part('question').locator('button[type="submit"][aria-disabled="false"]').waitFor();
  await field.press('Enter');
  await expect.poll(() => panel.messages('question/answer')).toEqual([sent('1 of each')]);
});

test('without options there is a line to write on, and the user may decline', async () => {
  const panel = await open({ events: [...begin, asking()] });
  const card = panel.part('question');
  expect(await card.getByRole('list').count()).toBe(0);
  await card.getByRole('button', { name: 'Do not answer' }).click();
  await expect.poll(() => panel.messages('question/answer')).toEqual([sent()]);
});

test('somebody who is writing is not disturbed', async () => {
  const panel = await open({ events: begin });
  await panel.page.keyboard.type('My next ');
  await panel.emit(asking('1'));
  await panel.page.keyboard.type('1 prompt');
  expect(await panel.input.inputValue()).toBe('My next 1 prompt');
  expect(await panel.messages('question/answer')).toEqual([]);
});

test('the card has the question as its name, and a reload shows it again', async () => {
  const panel = await open({ events: [...begin, asking('PostgreSQL')] });
  const group = panel.page.getByRole('group', { name: 'Harness asks: Which database?' });
  expect(await group.count()).toBe(1);
  expect(await panel.page.getByText('Waiting for your answer').count()).toBe(1);
});
