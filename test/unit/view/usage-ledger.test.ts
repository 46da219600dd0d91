import { expect, test } from 'vitest';
import { headOf } from '../../../extension/core/view/session-head.ts';
import { ledgerOf } from '../../../extension/core/view/usage-ledger.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';
import { storedEvents } from '../../support/panel-events.ts';

const asks = (model: string): EventDraft => ({ type: 'request_started', request: 1, provider: 'p', model });
const uses = (inputTokens: number, cost?: number, estimated?: true): EventDraft => ({
  type: 'usage',
  inputTokens,
  outputTokens: 1,
  cacheReadTokens: 2,
  cacheWriteTokens: 3,
  ...(cost !== undefined && { cost }),
  ...(estimated && { estimated }),
});

test('tokens, cost and requests are summed for each model, time for each run', () => {
  // A second lies between two events.
  const ledger = ledgerOf(
    storedEvents([
      { type: 'user', content: 'a' },
      { type: 'turn_started', turn: 1 },
      asks('one'),
      uses(10, 0.25),
      asks('two'),
      uses(20, 0.5),
      { type: 'turn_ended', turn: 1, reason: 'done' },
      { type: 'user', content: 'b' },
      { type: 'turn_started', turn: 2 },
      asks('one'),
      uses(100, 0.25),
      { type: 'turn_ended', turn: 2, reason: 'done' },
    ]),
  );
  const tokens = { outputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 3 };
  expect(ledger).toEqual({
    prompts: 2,
    milliseconds: 8_000,
    models: [
      {
        provider: 'p',
        model: 'one',
        requests: 2,
        inputTokens: 110,
        outputTokens: 2,
        cacheReadTokens: 4,
        cacheWriteTokens: 6,
        cost: 0.5,
      },
      { provider: 'p', model: 'two', requests: 1, inputTokens: 20, ...tokens, cost: 0.5 },
    ],
  });
});

test('tokens that no provider reported are unknown, and estimated ones are marked', () => {
  const ended = (outcome: 'completed' | 'cancelled' | 'discarded'): EventDraft => ({
    type: 'request_ended',
    request: 1,
    outcome,
    stop: 'end',
  });
  const [silent] = ledgerOf(storedEvents([asks('m'), ended('completed')])).models;
  expect(silent).toMatchObject({ requests: 1, unreported: 1, inputTokens: 0 });
  expect(silent).not.toHaveProperty('cost');
  const [mixed] = ledgerOf(
    storedEvents([
      ...[asks('m'), uses(10, 1), ended('completed'), asks('m'), ended('discarded')],
      ...[asks('m'), ended('cancelled'), asks('m'), uses(5, 1, true), ended('completed')],
    ]),
  ).models;
  expect(mixed).toMatchObject({ requests: 4, unreported: 1, estimated: true, inputTokens: 15 });
  expect(mixed).not.toHaveProperty('cost');
  expect(headOf(storedEvents([uses(5, undefined, true)]))).toMatchObject({
    tokens: 6,
    estimated: true,
  });
  expect(headOf(storedEvents([uses(5, undefined, true), uses(7)]))).not.toHaveProperty('estimated');
});

test('a cost of which a part is unknown is unknown', () => {
  const [known, unknown] = [uses(1, 1), uses(1)];
  for (const order of [
    [asks('m'), known, unknown],
    [asks('m'), unknown, known],
  ])
    expect(ledgerOf(storedEvents(order)).models[0]).not.toHaveProperty('cost');
});

test('nothing has cost nothing', () => {
  expect(ledgerOf([])).toEqual({ prompts: 0, milliseconds: 0, models: [] });
});

test('of a fork only what came after the events that it took over counts', () => {
  const forkedFrom = { session: 'parent', seq: 6 };
  const events = storedEvents([
    { type: 'session_started', version: 1, cwd: '/', product: 'test', forkedFrom },
    { type: 'user', content: 'a' },
    { type: 'turn_started', turn: 1 },
    asks('one'),
    uses(10, 0.25),
    { type: 'turn_ended', turn: 1, reason: 'cancelled' },
    { type: 'user', content: 'b' },
    asks('one'),
    uses(20, 0.5),
  ]);
  expect(ledgerOf(events)).toMatchObject({
    prompts: 1,
    milliseconds: 0,
    models: [{ model: 'one', requests: 1, inputTokens: 20, cost: 0.5 }],
    isFork: true,
  });
  expect(headOf(events)).toMatchObject({ tokens: 21, cost: 0.5 });
  expect(headOf(events.slice(0, 6))).toMatchObject({ tokens: 11 });
  expect(headOf(events.slice(0, 6))).not.toHaveProperty('cost');
});
