// What is seen of the wire: of every provider the same, in the same order, and never a key.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelEvent, ModelProvider, Turn } from '../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import type { TraceRecord } from '../../../extension/core/ports/trace-sink.ts';
import type { WireHooks } from '../../../extension/core/ports/wire-hooks.ts';
import { catalog, type ProtocolName, type ProviderEntry } from '../../../extension/core/providers/catalog.ts';
import { createProvider } from '../../../extension/core/providers/create-provider.ts';
import { formsOf } from '../../../extension/core/secrets/key-redaction.ts';
import { parseLog } from '../../../extension/core/trace/replay-trace.ts';
import { withLogger } from '../../../extension/core/trace/trace-provider.ts';
import { type Fixture, plain, playBytes } from '../../../scripts/lib/wire/wire-server.ts';
import { findFixture, loadFixtures } from '../../support/wire/fixtures.ts';
import { collect } from '../../support/wire/neutral.ts';

const KEY = 'sk-canary+/0123456789';
const TURN: Turn = {
  model: 'm-1',
  system: 'Work.',
  messages: [
    { role: 'user', content: [{ type: 'text', text: `The key is ${KEY}; in Base64 ${btoa(`x${KEY}`)}.` }] },
  ],
  tools: [],
  maxTokens: 100,
};

/** Where a protocol's code is, and a fixture of a whole answer. */
const WIRES: Readonly<
  Partial<Record<ProtocolName, readonly [folder: string, fixtures: string, id: string]>>
> = {
  anthropic: ['anthropic', 'anthropic', 'A01'],
  responses: ['codex', 'responses', 'R01'],
  chat: ['openai', 'chat', 'C01'],
  ollama: ['ollama', 'ollama', 'O01'],
  lmstudio: ['lmstudio', 'chat', 'C01'],
};
const PROVIDERS = join(import.meta.dirname, '../../../extension/core/providers');

const served = catalog.flatMap((entry) => {
  const wire = WIRES[entry.protocol];
  if (!wire || !existsSync(join(PROVIDERS, wire[0]))) return [];
  return [{ name: entry.name, entry, answer: findFixture(loadFixtures(wire[1]), wire[2]) as Fixture }];
});

async function servedBy(entry: ProviderEntry, answer: Fixture): Promise<ModelProvider> {
  const server = await playBytes(answer);
  onTestFinished(() => server.close());
  return createProvider(entry, { apiKey: KEY, baseUrl: server.url, clock: new ManualClock() });
}

function recorder(): WireHooks & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    onRequest: ({ method, body }) => seen.push(`${method} ${JSON.parse(body).model}`),
    onResponse: ({ status }) => seen.push(String(status)),
    onWire: () => seen.push('bytes'),
    onRawEvent: () => seen.push('event'),
  };
}

const ask = (provider: ModelProvider, hooks?: WireHooks): Promise<ModelEvent[]> =>
  collect(provider.streamTurn(TURN, new AbortController().signal, hooks));

test('there are providers to look at', () => {
  expect(served.map(({ name }) => name)).toContain('anthropic');
});

describe.each(served)('$name', ({ entry, answer }) => {
  test('a reply is seen as it is sent, answered, received and understood', async () => {
    const hooks = recorder();
    const events = await ask(await servedBy(entry, answer), hooks);
    expect(events.at(-1)?.type).toBe('done');
    expect(hooks.seen.slice(0, 3)).toEqual(['POST m-1', '200', 'bytes']);
    expect(hooks.seen.filter((what) => what === 'event').length).toBeGreaterThan(1);
    expect(hooks.seen.filter((what) => what.startsWith('POST'))).toHaveLength(1);
  });

  test('a refusal is seen with its body, and the next attempt too', async () => {
    const refusal = plain(529, { error: { type: 'overloaded_error', message: 'Busy.' } });
    const provider = await servedBy(entry, { ...refusal, exchanges: [refusal, answer] });
    // Where the server is asked about its model first, that is the one it refuses.
    const hooks = recorder();
    const first = await ask(provider, hooks);
    const second = await ask(provider, hooks);
    expect(second.at(-1)?.type).toBe('done');
    if (first.at(-1)?.type === 'done') return;
    expect(hooks.seen.slice(0, 6)).toEqual(['POST m-1', '529', 'bytes', 'POST m-1', '200', 'bytes']);
  });

  test('nobody answers: the request is seen', async () => {
    const hooks = recorder();
    const options = { apiKey: KEY, baseUrl: 'http://127.0.0.1:9', clock: new ManualClock() };
    const events = await ask(await createProvider(entry, options), hooks);
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'network' } });
    expect(hooks.seen).toEqual(['POST m-1']);
  });

  test('two turns at once are seen apart', async () => {
    const provider = await servedBy(entry, answer);
    const [left, right] = [recorder(), recorder()];
    await Promise.all([ask(provider, left), ask(provider, right)]);
    const sorted = ({ seen }: typeof left) => seen.filter((what) => what !== 'bytes');
    expect(sorted(left)).toEqual(sorted(right));
  });

  test('a key is in no log of the wire, however the server quotes it and wherever it is split', async () => {
    const quoted = JSON.stringify({
      error: { message: `${formsOf(KEY).join(' ')} Basic ${btoa(`:${KEY}`)}` },
    });
    for (const at of [20, 30, 33, 60, 90]) {
      const chunks = [quoted.slice(0, at), quoted.slice(at)].map((data, index) => ({
        delayMs: index * 5,
        data,
      }));
      const refusal = { ...plain(401, ''), chunks };
      const records: TraceRecord[] = [];
      const sink = {
        open: () => ({ write: (record: TraceRecord) => void records.push(record), close: () => {} }),
      };
      const options = { sink, clock: new ManualClock(), level: () => 'wire' as const, secrets: () => [KEY] };
      const provider = await servedBy(entry, { ...refusal, exchanges: [refusal, answer] });
      await ask(withLogger(provider, options));
      await ask(withLogger(provider, options));
      const wire = records.map((record) => (record.type === 'wire' ? record.text : '')).join('');
      const log = `${JSON.stringify(records)}${wire}`;
      expect(
        formsOf(KEY).filter((form) => log.includes(form)),
        `split at ${at}`,
      ).toEqual([]);
      expect(records.map(({ type }) => type)).toEqual(
        expect.arrayContaining([
          'turn_start',
          'request',
          'response',
          'wire',
          'raw_event',
          'event',
          'turn_end',
        ]),
      );
      const second = records.slice(records.findLastIndex(({ type }) => type === 'turn_start'));
      expect(parseLog(second.map((record) => JSON.stringify(record)).join('\n')).problems).toEqual([]);
    }
  });
});
