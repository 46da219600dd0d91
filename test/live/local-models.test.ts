// Against the servers of local models that run on this machine, with whatever models they have; skipped without them.
import { describe, expect, test } from 'vitest';
import type { Turn } from '../../extension/core/ports/model.ts';
import { createProvider, environmentUrl } from '../../extension/core/providers/create-provider.ts';
import { Router } from '../../extension/core/providers/router.ts';
import { fetchWithProbes } from '../../extension/node/fetch.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { collect } from '../support/wire/neutral.ts';
import { ADD, ask, type Live, textOf, there, turn } from './support.ts';

const LIST_MS = 5000;
/** A model may have to be loaded first, and may run without a graphics card. */
const REPLY_MS = 20 * 60_000;

/** A model that can call tools; undefined where no server runs, or none of its models can. */
async function find(name: string): Promise<Live | undefined> {
  const entry = new Router().find(name);
  if (!entry) throw new Error(`There is no provider ${name}.`);
  const baseUrl = environmentUrl(entry, process.env);
  const provider = await createProvider(entry, {
    apiKey: '',
    baseUrl,
    clock: systemClock,
    fetch: fetchWithProbes,
  });
  const models = await provider.listModels(AbortSignal.timeout(LIST_MS)).catch(() => []);
  const model = models.find(({ tools }) => tools);
  return model && { provider, model };
}

describe.each([
  { name: 'ollama', live: await find('ollama') },
  { name: 'lmstudio', live: await find('lmstudio') },
])('$name', ({ name, live }) => {
  test.skipIf(!live)('a model answers, and its tokens are counted', { timeout: REPLY_MS }, async () => {
    const { model } = there(live);
    expect(model.contextWindow).toBeGreaterThan(2000);
    const events = await ask(there(live), turn(model.id, 'Say “ok”.'));
    expect(events.at(-1)).toEqual({ type: 'done', stop: 'end' });
    expect(events.map(({ type }) => type)).toContain('usage');
  });

  test.skipIf(!live)('a tool is called, and its result is understood', { timeout: REPLY_MS }, async () => {
    const asked = turn(there(live).model.id, 'Use the tool to add 1234 and 4321.', { tools: [ADD] });
    const calls = (await ask(there(live), asked)).filter((event) => event.type === 'tool_call');
    expect(calls).toMatchObject([{ name: 'add' }]);
    const results = calls.map(
      ({ id }) => ({ type: 'tool_result', id, content: '5555', isError: false }) as const,
    );
    const messages: Turn['messages'] = [
      ...asked.messages,
      { role: 'assistant', content: calls },
      { role: 'user', content: results },
    ];
    expect(textOf(await ask(there(live), { ...asked, messages }))).toContain('5555');
  });

  test.skipIf(!live)('an abort ends it at once', { timeout: REPLY_MS }, async () => {
    const { provider, model } = there(live);
    const abort = new AbortController();
    const stream = provider.streamTurn(turn(model.id, 'Count to ten thousand.'), abort.signal);
    const events = await collect(stream, () => abort.abort());
    expect(events.map(({ type }) => type)).not.toContain('done');
  });

  const isCutElsewhere = name !== 'ollama';
  test.skipIf(!live || isCutElsewhere)(
    'a prompt that is longer than the window is refused, not cut',
    { timeout: REPLY_MS },
    async () => {
      const { model } = there(live);
      const words = 'one two three four five six seven eight nine ten\n'.repeat(
        (model.contextWindow ?? 0) / 5,
      );
      const events = await ask(there(live), turn(model.id, words));
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'context_overflow' } });
    },
  );
});
