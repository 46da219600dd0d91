// A question of the model: answered, declined, stopped, and where nobody can be asked.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Answer } from '../../extension/core/ports/approver.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { headOf } from '../../extension/core/view/session-head.ts';
import { terminalApprover } from '../../extension/headless/terminal-approver.ts';
import { calls, expectWellFormed, golden, says, scenario } from '../support/scenario.ts';
import { until } from '../support/until.ts';

const QUESTION = { question: 'Which database?', options: ['PostgreSQL', 'SQLite'] };
const asks = () => calls(1, ['ask_user', QUESTION]);
const GOLDEN = (name: string) => join(import.meta.dirname, 'golden', name);

test('the answer is the result, and the audit log has no decision of the user', async () => {
  const { session, settings, asked, root } = await scenario({
    answer: () => ({ decision: 'allow_once', text: 'SQLite' }),
  });
  const model = new ScriptedModel(asks(), says('SQLite it is.'));
  await session.prompt('Add a database', settings(model));
  expect(asked).toMatchObject([
    { tool: 'ask_user', risk: 'safe', action: { title: 'Which database?' }, options: QUESTION.options },
  ]);
  expect(model.turns[1]?.messages.at(-1)?.content).toMatchObject([
    { type: 'tool_result', content: 'The user answers: SQLite', isError: false },
  ]);
  expectWellFormed(session.events);
  await expect(golden(session.events, root)).toMatchFileSnapshot(GOLDEN('question-answered.jsonl'));
});

test('without an answer the model reads why, and later changes of the reply are skipped', async () => {
  const { session, settings, root } = await scenario({ answer: () => ({ decision: 'deny' }) });
  const reply = calls(1, ['ask_user', QUESTION], ['write', { path: 'a.txt', content: 'a' }]);
  const model = new ScriptedModel(reply, says('I need an answer.'));
  await session.prompt('Add a database', settings(model));
  expect(model.turns[1]?.messages.at(-1)?.content).toMatchObject([
    { type: 'tool_result', content: expect.stringMatching(/^Error: not answered; decide it/), isError: true },
    { type: 'tool_result', content: expect.stringContaining('skipped'), isError: true },
  ]);
  await expect(readFile(join(root, 'a.txt'))).rejects.toThrow();
  expectWellFormed(session.events);
});

test('while it waits the session waits, and a stop ends it', async () => {
  const { session, settings, root, asked } = await scenario({
    answer: (_, signal) =>
      new Promise<Answer>((resolve) => {
        signal.addEventListener('abort', () => resolve({ decision: 'deny' }));
      }),
  });
  const run = session.prompt('Add a database', settings(new ScriptedModel(asks())));
  await until(() => asked.length === 1);
  expect(headOf(session.events).approvals).toMatchObject([
    { id: 'call_1', action: { title: 'Which database?' }, options: QUESTION.options },
  ]);
  session.cancel();
  expect(await run).toBe('cancelled');
  expect(headOf(session.events).approvals).toEqual([]);
  expectWellFormed(session.events);
  await expect(golden(session.events, root)).toMatchFileSnapshot(GOLDEN('question-stopped.jsonl'));
});

test('where there is no terminal, the model reads that nobody can be asked', async () => {
  const approver = terminalApprover();
  const { session, settings, root } = await scenario({
    mode: 'bypass',
    answer: (request, signal) => approver.ask(request, signal),
  });
  await session.prompt('Add a database', settings(new ScriptedModel(asks(), says('I take SQLite.'))));
  expect(session.events.find(({ type }) => type === 'tool_result')).toMatchObject({
    end: 'denied',
    result: expect.stringContaining('not answered: there is no terminal to ask on; decide it yourself'),
  });
  await expect(golden(session.events, root)).toMatchFileSnapshot(GOLDEN('question-headless.jsonl'));
});

test('a question that a killed process left open is closed when the session opens', async () => {
  const { session, settings, store, openLog, root } = await scenario({
    answer: () => ({ decision: 'allow_once', text: 'SQLite' }),
  });
  await session.prompt('Add a database', settings(new ScriptedModel(asks(), says('Done.'))));
  await session.close();
  const path = join(root, '..', 'home', 'sessions', session.id, 'events.jsonl');
  const lines = (await readFile(path, 'utf8')).split('\n');
  const waiting = lines.findIndex((line) => line.includes('"type":"question"'));
  await writeFile(path, `${lines.slice(0, waiting + 1).join('\n')}\n`);
  const again = await openLog(await store.open(session.id));
  expect(again.events.find(({ type }) => type === 'tool_result')).toMatchObject({ end: 'interrupted' });
  expect(headOf(again.events).approvals).toEqual([]);
});

test.each([
  ['an empty question', { question: ' ' }, 'question is empty'],
  ['too many options', { question: 'q', options: [...'0123456789'] }, 'options: at most 9'],
  ['an empty option', { question: 'q', options: ['a', ''] }, 'options.1 is empty'],
  ['one option twice', { question: 'q', options: ['a', 'a'] }, 'is given twice'],
  ['no question', { options: [] }, 'invalid input for ask_user: question'],
])('%s asks nobody and says what is wrong', async (_what, input, words) => {
  const { session, settings, asked } = await scenario();
  await session.prompt('Go', settings(new ScriptedModel(calls(1, ['ask_user', input]), says('Oh.'))));
  expect(asked).toEqual([]);
  expect(session.events.find(({ type }) => type === 'tool_result')).toMatchObject({
    isError: true,
    result: expect.stringContaining(words),
  });
});

test('a plan of any model is an event', async () => {
  const { session, settings, root } = await scenario();
  const steps = [
    { title: 'Look', status: 'completed' },
    { title: 'Fix', status: 'in_progress' },
  ];
  await session.prompt('Go', settings(new ScriptedModel(calls(1, ['update_plan', { steps }]), says('Ok.'))));
  await expect(golden(session.events, root)).toMatchFileSnapshot(GOLDEN('plan.jsonl'));
});
