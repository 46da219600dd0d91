import { expect, test } from 'vitest';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { anthropicCostOf } from '../../../../extension/core/providers/anthropic/models.ts';
import { limitReset, retryAfter } from '../../../../extension/core/providers/wire/classify-error.ts';
import { startIdleTimeout } from '../../../../extension/core/providers/wire/connection.ts';
import { parseToolInput } from '../../../../extension/core/providers/wire/tool-calls.ts';
import { wellFormedData, wellFormedText } from '../../../../extension/core/providers/wire/unicode.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const reset = (limit: string, time: string, remaining = '0') => ({
  [`anthropic-ratelimit-${limit}-reset`]: time,
  [`anthropic-ratelimit-${limit}-remaining`]: remaining,
});

const waits: [headers: Record<string, string>, milliseconds: number | undefined][] = [
  [{}, undefined],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '5' }, 5_000],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': '3600' }, 3_600_000],
  [{ 'retry-after': '-1' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '250', 'retry-after': '5' }, 250],
  [{ 'retry-after-ms': 'x', 'retry-after': '5' }, 5_000],
];

test.each(waits)('The wait asked for by %j', (headers, milliseconds) => {
  expect(retryAfter(new Headers(headers), NOW)).toBe(milliseconds);
});

const resets: [headers: Record<string, string>, milliseconds: number | undefined][] = [
  [{}, undefined],
  [reset('tokens', '2026-11-20T12:01:00Z'), 60_000],
  [
    { ...reset('tokens', '2026-11-20T12:01:00Z'), ...reset('requests', '2026-11-20T13:00:00Z', '40') },
    60_000,
  ],
  [{ ...reset('tokens', '2026-11-20T12:01:00Z'), ...reset('requests', '2026-11-20T12:02:00Z') }, 120_000],
  [{ 'anthropic-ratelimit-input-tokens-reset': '2026-11-20T12:00:10Z' }, 10_000],
  [reset('tokens', '2026-11-20T11:59:00Z'), 0],
  [reset('tokens', 'tomorrow'), undefined],
];

test.each(resets)('The limits are free again after %j', (headers, milliseconds) => {
  expect(limitReset(new Headers(headers), NOW)).toBe(milliseconds);
});

const inputs: [text: string, result: unknown][] = [
  ['', {}],
  ['  ', {}],
  ['{}', {}],
  ['{"b":1,"a":[2]}', { b: 1, a: [2] }],
  ['{"path":"b","content":"hel', expect.stringContaining('not valid JSON')],
  ['{"a":1}}', expect.stringContaining('not valid JSON')],
  ["{'a':1}", expect.stringContaining('not valid JSON')],
  ['null', expect.stringContaining('not a JSON object')],
  ['[1]', expect.stringContaining('not a JSON object')],
  ['"{}"', expect.stringContaining('not a JSON object')],
  [`${'{"a":'.repeat(199)}{}${'}'.repeat(199)}`, expect.objectContaining({ a: expect.anything() })],
  [`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, expect.stringContaining('nested deeper')],
  [`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, expect.stringContaining('nested deeper')],
];

test.each(inputs)('Arguments %.40s', (text, result) => {
  expect(parseToolInput(text)).toEqual(result);
});

test('Arguments keep the order of their keys, and touch no prototype', () => {
  const input = parseToolInput('{"z":1,"a":2,"__proto__":{"polluted":true}}');
  expect(JSON.stringify(input)).toBe('{"z":1,"a":2,"__proto__":{"polluted":true}}');
  expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).toBe(false);
});

const texts: [text: string, sound: string][] = [
  ['sound 😀', 'sound 😀'],
  ['a\ud83d', 'a\ufffd'],
  ['\ude00b\ud83d', '\ufffdb\ufffd'],
  ['\\ud83d is an escape written out', '\\ud83d is an escape written out'],
  ['\\\ud83d', '\\\ufffd'],
];

test.each(texts)('%j without lone surrogates', (text, sound) => {
  expect(wellFormedText(text)).toBe(sound);
  expect(wellFormedData({ list: [text], [text]: 1 })).toEqual({ list: [sound], [sound]: 1 });
});

test('Sound data is not copied', () => {
  const data = { text: '😀', list: ['\\ud83d'] };
  expect(wellFormedData(data)).toBe(data);
});

const million = { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite5m: 1e6, cacheWrite1h: 1e6 };
const few = { input: 1000, output: 1000, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

test('A request costs what each kind of its tokens does', () => {
  expect(anthropicCostOf('claude-opus-5-5', million)).toBeCloseTo(4 + 20 + 0.2 + 5 + 8);
  expect(anthropicCostOf('claude-haiku-4-5-20251001', few)).toBeCloseTo(0.006);
  expect(anthropicCostOf('claude-haiku-5-5', few)).toBeCloseTo(0.0006);
  expect(anthropicCostOf('claude-haiku-5-5', { ...few, cacheRead: 100_000 })).toBeCloseTo(
    0.0005 + 0.0025 + 0.005,
  );
});

test.each(['some-gateway-model', 'claude-unheard-9', 'constructor'])(
  'What %s costs is not known',
  (model) => {
    expect(anthropicCostOf(model, million)).toBeUndefined();
  },
);

test('Silence counts from the last byte, and a stopped watch leaves no timer', async () => {
  const clock = new ManualClock();
  const idle = startIdleTimeout(clock, 1000);
  for (let count = 0; count < 5; count++) {
    await pass(clock, 900);
    idle.touch();
  }
  expect(idle.signal.aborted).toBe(false);
  await pass(clock, 999);
  expect(idle.signal.aborted).toBe(false);
  await pass(clock, 1);
  expect(idle.signal.aborted).toBe(true);
  expect(clock.sleeping).toBe(0);
});

test('A process that was stopped for long first reads what came in the meantime', async () => {
  const clock = new ManualClock();
  const idle = startIdleTimeout(clock, 1000);
  await pass(clock, 600_000);
  expect(idle.signal.aborted).toBe(false);
  await pass(clock, 1000);
  expect(idle.signal.aborted).toBe(true);
});

test('A stopped watch never fires', async () => {
  const clock = new ManualClock();
  const idle = startIdleTimeout(clock, 1000);
  idle.stop();
  expect(clock.sleeping).toBe(0);
  await pass(clock, 5000);
  expect(idle.signal.aborted).toBe(false);
});

async function pass(clock: ManualClock, milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await new Promise((resolve) => setImmediate(resolve));
}
