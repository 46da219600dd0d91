// Against the vendors' own servers, where there is a key in the environment; skipped without one. One prompt with one call
// for each key, to a small model. On CI a key is used where HARNESS_LIVE is set too, so that none is used by accident.
import { describe, expect, test } from 'vitest';
import { ModelFailure } from '../../extension/core/ports/model.ts';
import { catalog, type ProviderEntry } from '../../extension/core/providers/catalog.ts';
import { createProvider, environmentKey } from '../../extension/core/providers/create-provider.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { assistantBlocks } from '../support/wire/neutral.ts';
import { ADD, ask, type Live, textOf, there, turn } from './support.ts';

const LIST_MS = 10_000;
const REPLY_MS = 120_000;

const SMALL =
  /haiku-[45]|gpt-[56][\w.]*-(mini|luna)$|flash(-latest)?$|llama-3\.3|deepseek-(chat|flash)|mistral-small-latest|grok-\S*fast/;

/** Why there is nobody to ask, though there is a key. */
const NOT_SERVED = new Set(['auth', 'billing', 'permission', 'network', 'timeout']);

const isWanted = !process.env.CI || process.env.HARNESS_LIVE !== undefined;

/** Undefined where there is no key, or one that nobody takes. */
async function find(entry: ProviderEntry): Promise<Live | undefined> {
  const apiKey = environmentKey(entry, process.env);
  if (!isWanted || !apiKey?.startsWith(entry.key?.prefix ?? '')) return undefined;
  const provider = await createProvider(entry, { apiKey, baseUrl: '', clock: systemClock });
  try {
    const models = await provider.listModels(AbortSignal.timeout(LIST_MS));
    const model = models.find(({ id, tools }) => tools !== false && SMALL.test(id));
    return model && { provider, model };
  } catch (error) {
    if (!(error instanceof ModelFailure) || !NOT_SERVED.has(error.error.kind)) throw error;
    console.warn(`${entry.label} is not asked: ${error.message}`);
    return undefined;
  }
}

const hosted = catalog.filter(({ key }) => key);
const found = await Promise.all(hosted.map(async (entry) => ({ name: entry.name, live: await find(entry) })));

describe.each(found)('$name', ({ live }) => {
  test.skipIf(!live)('a tool is called, and its result is understood', { timeout: REPLY_MS }, async () => {
    const asked = turn(there(live).model.id, 'Use the tool to add 1234 and 4321.', { tools: [ADD] });
    const reply = await ask(there(live), asked);
    const calls = reply.filter((event) => event.type === 'tool_call');
    expect(calls).toMatchObject([{ name: 'add', input: { a: 1234, b: 4321 } }]);
    const results = calls.map(
      ({ id }) => ({ type: 'tool_result', id, content: '5555', isError: false }) as const,
    );
    const messages = [
      ...asked.messages,
      { role: 'assistant', content: assistantBlocks(reply) },
      { role: 'user', content: results },
    ] as const;
    expect(textOf(await ask(there(live), { ...asked, messages })).replace(/\D/g, '')).toContain('5555');
  });
});
