import { expect, test } from 'vitest';
import type { Entry } from '../../../../extension/core/recording/entry.ts';
import { replaySession } from '../../../../extension/core/recording/replay/replay-session.ts';
import { thisProduct } from '../../../../extension/core/recording/replay/this-product.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';

test('where what comes out is something else since our code failed, it is told why', async () => {
  const entries: Entry[] = [
    { kind: 'open', at: 0, past: 0, repairs: [], home: '/home', has: [] },
    { kind: 'start', id: 1, name: 'log.append', given: '', at: 1 },
  ];
  const recorded = {
    id: 's',
    entries: async function* () {
      yield* entries;
    },
    log: { length: 0, lines: async () => [] },
    fetch: () => Promise.reject(new Error('no such blob')),
  };
  const failure = new TypeError('a mistake of ours');
  const product = { ...thisProduct, openSession: () => Promise.reject(failure) };
  const result = await replaySession(recorded, { product, turn: () => systemClock.yield() });
  expect(result).toMatchObject({ equal: false, divergence: { cause: failure } });
});
