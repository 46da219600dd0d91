import { expect, test } from 'vitest';
import { headOf } from '../../../extension/core/view/session-head.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';
import { ask, call, decision, request, result, storedEvents } from '../../support/panel-events.ts';

const head = (...drafts: EventDraft[]) => headOf(storedEvents(drafts));

test('a run is on from its start to its end, which says how it went', () => {
  expect(head({ type: 'turn_started', turn: 1 }).run).toMatchObject({ busy: true, state: 'thinking' });
  for (const [reason, state] of [
    ['done', 'idle'],
    ['cancelled', 'idle'],
    ['error', 'error'],
  ] as const) {
    const ended = head({ type: 'turn_started', turn: 1 }, { type: 'turn_ended', turn: 1, reason });
    expect(ended.run).toMatchObject({ busy: false, state });
  }
});

test('an approval stands until it is answered, or its call or the run is over', () => {
  const asked = [request(1), call('a', 'bash'), ask('a'), call('b', 'bash'), ask('b')] as const;
  const ids = (...more: EventDraft[]) => head(...asked, ...more).approvals.map(({ id }) => id);
  expect(head(...asked).approvals).toMatchObject([{ id: 'a', action: { detail: 'npm test' } }, { id: 'b' }]);
  expect(ids(decision('a', 'allow_once'))).toEqual(['b']);
  expect(ids(result('b', {}, { isError: true, end: 'cancelled' }))).toEqual(['a']);
  expect(ids({ type: 'turn_ended', turn: 1, reason: 'cancelled' })).toEqual([]);
});

test('a retry stands until the next request begins', () => {
  const retry = {
    type: 'retry',
    attempt: 1,
    delayMs: 8_000,
    code: 'overloaded',
    message: 'Overloaded.',
  } as const;
  expect(head(request(1), retry).retry).toMatchObject({ delayMs: 8_000, since: 2_000 });
  expect(head(request(1), retry, request(2))).not.toHaveProperty('retry');
  expect(head(request(1), retry, { type: 'turn_ended', turn: 1, reason: 'cancelled' })).not.toHaveProperty(
    'retry',
  );
});

test('a status says since when it holds; the same again does not begin anew', () => {
  const thinking = { type: 'status', state: 'thinking', message: 'Waiting' } as const;
  const { run } = head({ type: 'turn_started', turn: 1 }, thinking, thinking);
  expect(run).toEqual({ busy: true, state: 'thinking', message: 'Waiting', since: 2_000 });
});

test('tokens are those of the newest request, cost is the sum, unknown as long as no price is known', () => {
  const usage = (inputTokens: number, cost?: number) =>
    ({
      type: 'usage',
      inputTokens,
      outputTokens: 10,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      ...(cost === undefined ? {} : { cost }),
    }) as const;
  expect(head(usage(100))).toMatchObject({ tokens: 110 });
  expect(head(usage(100))).not.toHaveProperty('cost');
  expect(head(usage(100, 0.25), usage(200, 0.5))).toMatchObject({ tokens: 210, cost: 0.75 });
});
