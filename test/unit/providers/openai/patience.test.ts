import { expect, test } from 'vitest';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { isLocalAddress } from '../../../../extension/core/providers/wire/vendor.ts';
import { answering } from '../../../support/wire/fixtures.ts';
import { collect } from '../../../support/wire/neutral.ts';
import { fixture, provider, turn } from './support.ts';

test.each([
  ['http://127.0.0.1:8080/v1', true],
  ['http://localhost:8000', true],
  ['http://[::1]:8000', true],
  ['http://192.168.1.20:1234/v1', true],
  ['http://box.local/v1', true],
  ['http://172.32.0.1', false],
  ['https://localhost.example.com', false],
  ['https://api.groq.com/openai/v1', false],
  ['', false],
])('%s is local: %s', (address, isLocal) => {
  expect(isLocalAddress(address)).toBe(isLocal);
});

test('a silent server of the network is given up after five minutes, a local one is not', async () => {
  const hanging = answering({ ...fixture('C01'), close: 'hang' }, []);
  const abort = new AbortController();
  const clocks = ['https://llm.example.com/v1', 'http://127.0.0.1:8080/v1'].map((baseUrl) => {
    const clock = new ManualClock();
    const events = provider({ baseUrl, clock, fetch: hanging }).streamTurn(turn(), abort.signal);
    return { clock, events: collect(events) };
  });
  await expect.poll(() => clocks[0]?.clock.sleeping).toBe(1);
  for (const { clock } of clocks) clock.advance(301_000);
  expect(await clocks[0]?.events).toMatchObject([{ type: 'error', error: { kind: 'timeout' } }]);
  expect(clocks[1]?.clock.sleeping).toBe(0);
  abort.abort();
  expect(await clocks[1]?.events).toEqual([]);
});
