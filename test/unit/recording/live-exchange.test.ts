import { expect, test } from 'vitest';
import type { Answer } from '../../../extension/core/ports/approver.ts';
import { digest } from '../../../extension/core/recording/digest.ts';
import type { Entry } from '../../../extension/core/recording/entry.ts';
import { LiveExchange } from '../../../extension/core/recording/live/live-exchange.ts';
import { thisProduct } from '../../../extension/core/recording/this-product.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';

const { errors, mask } = thisProduct;
const never = () => new Promise<never>(() => {});

/** An approval of `action`, recorded, and then a prompt. */
function recordedApproval(action: object) {
  const entries: Entry[] = [
    { kind: 'start', id: 1, name: 'approver.ask', given: digest([action], { mask, errors }), at: 0 },
    { kind: 'end', id: 1, value: { decision: 'allow_once' }, at: 1 },
    { kind: 'input', id: 2, name: 'prompt', given: ['go on'], at: 2 },
  ];
  const seen = { denied: 0, performed: [] as unknown[] };
  const exchange = new LiveExchange(entries, {
    clock: systemClock,
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
