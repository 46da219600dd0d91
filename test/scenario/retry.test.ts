import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelError } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { calls, expectWellFormed, says, scenario } from '../support/scenario.ts';
import { until } from '../support/until.ts';

const overloaded: ModelError = { kind: 'overloaded', message: 'Claude is overloaded.', retryable: true };

test('a retryable error is tried again after a visible wait, and what was shown of it does not count', async () => {
  const { session, settings, clock } = await scenario();
  const model = new ScriptedModel(
    [
      { type: 'text_delta', text: 'Half' },
      { type: 'text', text: 'Half' },
      { type: 'error', error: overloaded },
    ],
    says('Whole.'),
  );
  const run = session.prompt('Hi', settings(model));
  await until(() => clock.sleeping === 1);
  expect(session.events.findLast((event) => event.type === 'retry')).toMatchObject({
    attempt: 1,
    delayMs: 1000,
    code: 'overloaded',
  });
  clock.advance(1000);
  expect(await run).toBe('done');
  expect(model.turns[1]?.messages).toEqual(model.turns[0]?.messages);
  expect(
    session.events.filter((event) => event.type === 'request_ended').map((event) => event.outcome),
  ).toEqual(['discarded', 'completed']);
  expectWellFormed(session.events);
});

test('the server’s own wait is kept, and one that is too long is put before the user', async () => {
  const { session, settings, clock } = await scenario();
  const model = new ScriptedModel(
    [{ type: 'error', error: { ...overloaded, retryAfterMs: 20_000 } }],
    [{ type: 'error', error: { ...overloaded, retryAfterMs: 3_600_000 } }],
  );
  const run = session.prompt('Hi', settings(model));
  await until(() => clock.sleeping === 1);
  clock.advance(20_499);
  expect(model.turns).toHaveLength(1);
  clock.advance(1);
  expect(await run).toBe('error');
  expect(session.events.findLast((event) => event.type === 'error')).toMatchObject({
    retryable: true,
    message: expect.stringMatching(
      /^Claude is overloaded\. The server asks you to wait until \d\d:\d\d\. Try again then, or choose another model/,
    ),
  });
});

test('an error that will not go away by itself is not tried again, and the session stays usable', async () => {
  const { session, settings } = await scenario();
  const model = new ScriptedModel(
    [{ type: 'error', error: { kind: 'auth', message: 'Bad key.', retryable: false } }],
    says('Hello.'),
  );
  expect(await session.prompt('Hi', settings(model))).toBe('error');
  expect(model.turns).toHaveLength(1);
  expect(await session.continue(settings(model))).toBe('done');
  expect(model.turns[1]?.messages).toEqual(model.turns[0]?.messages);
  expectWellFormed(session.events);
});

test('it gives up after five attempts', async () => {
  const { session, settings, clock } = await scenario();
  const model = new ScriptedModel(
    ...Array.from({ length: 5 }, () => [{ type: 'error', error: overloaded }] as const),
  );
  const run = session.prompt('Hi', settings(model));
  for (let wait = 0; wait < 4; wait++) {
    await until(() => clock.sleeping === 1);
    clock.advance(60_000);
  }
  expect(await run).toBe('error');
  expect(model.unused).toBe(0);
  expect(session.events.findLast((event) => event.type === 'retry')).toMatchObject({
    message: 'Claude is overloaded.',
  });
  expect(session.events.findLast((event) => event.type === 'error')).toMatchObject({
    message: 'Claude is overloaded. Try again later, or choose another model with “Harness: Select Model”.',
  });
});

test('the user need not wait for the countdown', async () => {
  const { session, settings, clock } = await scenario();
  const run = session.prompt(
    'Hi',
    settings(new ScriptedModel([{ type: 'error', error: overloaded }], says('Hello.'))),
  );
  await until(() => clock.sleeping === 1);
  session.retryNow();
  expect(await run).toBe('done');
  expect(clock.sleeping).toBe(0);
});

test('nothing of a reply that broke is run, and nothing that has run is run again', async () => {
  const { session, settings, clock, root } = await scenario({ mode: 'bypass' });
  const append = { command: 'echo ran >> ran.txt' };
  const broken = calls(1, ['bash', append]).slice(0, -1);
  const model = new ScriptedModel(
    [...broken, { type: 'error', error: overloaded }],
    calls(2, ['bash', append]),
    [{ type: 'error', error: overloaded }],
    says('Done.'),
  );
  const run = session.prompt('Hi', settings(model));
  for (let wait = 0; wait < 2; wait++) {
    await until(() => clock.sleeping === 1);
    clock.advance(60_000);
  }
  expect(await run).toBe('done');
  expect(await readFile(join(root, 'ran.txt'), 'utf8')).toBe('ran\n');
  expect(model.turns[3]?.messages).toEqual(model.turns[2]?.messages);
  expectWellFormed(session.events);
});
