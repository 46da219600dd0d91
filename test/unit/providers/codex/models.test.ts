import { expect, onTestFinished, test } from 'vitest';
import { codexCostOf } from '../../../../extension/core/providers/codex/models.ts';
import { playBytes } from '../../../../scripts/lib/wire/wire-server.ts';
import { fixture, provider } from './support.ts';

const none = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

test('A long prompt costs more', () => {
  expect(codexCostOf('gpt-5.4', { ...none, input: 272_000, output: 10 })).toBeCloseTo(
    (272_000 * 2.5 + 150) / 1e6,
    10,
  );
  expect(codexCostOf('gpt-5.4', { ...none, cacheRead: 272_001, output: 10 })).toBeCloseTo(
    (272_001 * 0.5 + 10 * 22.5) / 1e6,
    10,
  );
});

test('A snapshot costs what its model does; what is not known costs nobody knows what', () => {
  expect(codexCostOf('gpt-5-2025-08-07', { ...none, output: 1e6 })).toBe(10);
  expect(codexCostOf('gpt-9', { ...none, output: 1e6 })).toBeUndefined();
  expect(codexCostOf('constructor', none)).toBeUndefined();
});

test('Models are listed with what is known of them, and without those for other uses', async () => {
  const data = ['gpt-5.6-sol', 'gpt-5-mini', 'my-model', 'whisper-1', 'text-embedding-3', 'gpt-image-1'].map(
    (id) => ({ id, object: 'model' }),
  );
  const server = await playBytes(fixture('R01'), { '/models': { object: 'list', data } });
  onTestFinished(() => server.close());
  expect(await provider({ baseUrl: server.url }).listModels(new AbortController().signal)).toEqual([
    {
      id: 'gpt-5.6-sol',
      name: 'gpt-5.6-sol',
      contextWindow: 1_050_000,
      maxOutput: 128_000,
      price: { input: 4, output: 20 },
    },
    {
      id: 'gpt-5-mini',
      name: 'gpt-5-mini',
      contextWindow: 400_000,
      maxOutput: 128_000,
      price: { input: 0.25, output: 2 },
    },
    { id: 'my-model', name: 'my-model' },
  ]);
});

test('A list that is refused tells why', async () => {
  const server = await playBytes(fixture('R01'));
  onTestFinished(() => server.close());
  const listed = provider({ baseUrl: server.url }).listModels(new AbortController().signal);
  await expect(listed).rejects.toMatchObject({ error: { kind: 'not_found', retryable: false } });
});
