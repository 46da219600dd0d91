import { expect, test } from 'vitest';
import type { Answer } from '../../../../extension/core/ports/approver.ts';
import { digests } from '../../../../extension/core/recording/encode.ts';
import type { Entry } from '../../../../extension/core/recording/entry.ts';
import { LiveExchange } from '../../../../extension/core/recording/live/live-interceptor.ts';
import { RecordedCalls } from '../../../../extension/core/recording/live/recorded-calls.ts';
import { thisProduct } from '../../../../extension/core/recording/replay/this-product.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';

const { errors, mask } = thisProduct;
const never = () => new Promise<never>(() => {});

/** An approval of `action`, recorded, and then a prompt. */
function recordedApproval(action: object) {
  const entries: Entry[] = [
    { kind: 'start', id: 1, name: 'approver.ask', given: digests([action], { mask, errors }).strict, at: 0 },
    { kind: 'end', id: 1, value: { decision: 'allow_once' }, at: 1 },
    { kind: 'input', id: 2, name: 'prompt', given: ['go on'], at: 2 },
  ];
  const seen = { denied: 0, performed: [] as unknown[] };
  const exchange = new LiveExchange(entries, {
    turn: () => systemClock.yield(),
    fetch: never,
    errors,
    mask,
    remake: never,
    perform: (_input, given) => void seen.performed.push(...given),
    onDenied: () => {
      seen.denied += 1;
    },
  });
  const ask = (asked: object) => exchange.call<Answer>('approver.ask', [asked], never);
  return { exchange, seen, ask };
}

test('an approval holds for the action that was decided on', async () => {
  const { exchange, seen, ask } = recordedApproval({ run: 'ls' });
  const answer = ask({ run: 'ls' });
  await exchange.play();
  expect(await answer).toEqual({ decision: 'allow_once' });
  expect(seen).toEqual({ denied: 0, performed: ['go on'] });
});

test('another action is denied, and what was done with the session goes on', async () => {
  const { exchange, seen, ask } = recordedApproval({ run: 'ls' });
  const answer = ask({ run: 'rm -r /' });
  await exchange.play();
  expect(await answer).toMatchObject({ decision: 'deny', reason: expect.stringContaining('another action') });
  expect(seen).toEqual({ denied: 1, performed: ['go on'] });
  const again = recordedApproval({ run: 'ls' });
  const both = [again.ask({ run: 'ls' }), again.ask({ run: 'ls' })];
  await again.exchange.play();
  expect((await Promise.all(both)).map(({ decision }) => decision)).toEqual(['allow_once', 'deny']);
});

/** An exchange of these entries, and how many turns of the process it has waited. */
function exchangeOf(entries: readonly Entry[]) {
  const waited = { turns: 0 };
  const exchange = new LiveExchange(entries, {
    turn: async () => {
      waited.turns += 1;
    },
    fetch: () => Promise.reject(new Error('no such blob')),
    errors,
    mask,
    remake: never,
    perform: () => {},
    onDenied: () => {},
  });
  return { exchange, waited };
}

test('once nothing happens any more, no further call is waited for', async () => {
  const starts = Array.from(
    { length: 1_000 },
    (_, id): Entry => ({ kind: 'start', id, name: 'context', given: '', at: 0 }),
  );
  const { exchange, waited } = exchangeOf(starts);
  await exchange.play();
  expect(waited.turns).toBeLessThan(3_000);
});

test('a call whose recorded answer is missing fails, and nothing else does', async () => {
  const { exchange } = exchangeOf([
    { kind: 'start', id: 1, name: 'context', given: '', at: 0 },
    { kind: 'end', id: 1, value: { $blob: 'none' }, at: 1 },
  ]);
  await exchange.play();
  // The first one is caught up with, the second one is answered by what was given last.
  for (let asked = 0; asked < 2; asked += 1)
    await expect(exchange.call('context', [], never)).rejects.toThrow('no such blob');
});

test('calls are given in their order, but for those that are asked for before it is their turn', () => {
  const entries = ['a', 'b', 'c', 'd'].map(
    (given, id): Entry => ({ kind: 'start', id, name: 'port', given, at: 0 }),
  );
  const recorded = new RecordedCalls(entries);
  const take = (wanted?: string) =>
    recorded.take('port', wanted === undefined ? undefined : ({ given }) => given === wanted)?.start.given;
  expect([take(), take('c'), take('a'), take(), take(), take()]).toEqual([
    'a',
    'c',
    undefined,
    'b',
    'd',
    undefined,
  ]);
});
