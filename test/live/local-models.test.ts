// Against the servers of local models that run on this machine, with whatever models they have; skipped without them.
import { expect, test } from 'vitest';
import type { ModelEvent, ModelInfo, ModelProvider, Turn } from '../../extension/core/ports/model.ts';
import { createProvider, environmentUrl } from '../../extension/core/providers/create-provider.ts';
import { Router } from '../../extension/core/providers/router.ts';
import { patientFetch } from '../../extension/node/patient-fetch.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { collect } from '../support/wire/neutral.ts';

const LIST_MS = 5000;
/** A model may have to be loaded first, and may run without a graphics card. */
const REPLY_MS = 20 * 60_000;

interface Live {
  readonly provider: ModelProvider;
  readonly model: ModelInfo;
}

/** A model that can call tools; undefined where no server runs, or none of its models can. */
async function find(name: string): Promise<Live | undefined> {
  const entry = new Router().find(name);
  if (!entry) throw new Error(`There is no provider ${name}.`);
  const baseUrl = environmentUrl(entry, process.env);
  const provider = await createProvider(entry, {
    apiKey: '',
    baseUrl,
    clock: systemClock,
    fetch: patientFetch,
  });
  const models = await provider.listModels(AbortSignal.timeout(LIST_MS)).catch(() => []);
  const model = models.find(({ tools }) => tools);
  return model && { provider, model };
}

const ADD: Turn['tools'][number] = {
  name: 'add',
  description: 'Adds two numbers. The only way to add.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
};

function turn(model: string, text: string, changes: Partial<Turn> = {}): Turn {
  const messages = [{ role: 'user', content: [{ type: 'text', text }] }] as const;
  return { model, system: 'Be brief.', messages, tools: [], maxTokens: 2048, ...changes };
}

const ask = ({ provider }: Live, asked: Turn) =>
  collect(provider.streamTurn(asked, new AbortController().signal));

const ollama = await find('ollama');

test.skipIf(!ollama)(
  'ollama: a model answers, and its tokens are counted',
  async () => {
    const live = ollama as Live;
    expect(live.model.contextWindow).toBeGreaterThan(2000);
    const events = await ask(live, turn(live.model.id, 'Say “ok”.'));
    expect(events.at(-1)).toEqual({ type: 'done', stop: 'end' });
    expect(events.find(({ type }) => type === 'usage')).toMatchObject({ usage: { cost: 0 } });
  },
  REPLY_MS,
);

test.skipIf(!ollama)(
  'ollama: a tool is called, and its result is understood',
  async () => {
    const live = ollama as Live;
    const asked = turn(live.model.id, 'Use the tool to add 1234 and 4321.', { tools: [ADD] });
    const first = await ask(live, asked);
    const calls = first.filter((event) => event.type === 'tool_call');
    expect(calls).toMatchObject([{ name: 'add' }]);
    const messages: Turn['messages'] = [
      ...asked.messages,
      { role: 'assistant', content: calls },
      {
        role: 'user',
        content: calls.map(({ id }) => ({ type: 'tool_result', id, content: '5555', isError: false })),
      },
    ];
    const second = await ask(live, { ...asked, messages });
    expect(textOf(second)).toContain('5555');
  },
  REPLY_MS,
);

test.skipIf(!ollama)(
  'ollama: a prompt that is longer than the window is refused, not cut',
  async () => {
    const live = ollama as Live;
    const words = 'one two three four five six seven eight nine ten\n'.repeat(
      (live.model.contextWindow ?? 0) / 5,
    );
    const events = await ask(live, turn(live.model.id, words));
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'context_overflow' } });
  },
  REPLY_MS,
);

test.skipIf(!ollama)(
  'ollama: an abort ends it at once',
  async () => {
    const live = ollama as Live;
    const abort = new AbortController();
    const events = await collect(
      live.provider.streamTurn(turn(live.model.id, 'Count to ten thousand.'), abort.signal),
      () => abort.abort(),
    );
    expect(events.map(({ type }) => type)).not.toContain('done');
  },
  REPLY_MS,
);

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}
