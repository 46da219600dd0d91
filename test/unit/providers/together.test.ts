// Pieces of a reply that arrive together are read at a stretch: what is no JSON is skipped and noted, a reply without its
// end is incomplete all the same, and an abort comes between any two events.
import { describe, expect, test } from 'vitest';
import type { ModelEvent, ModelProvider, Turn } from '../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import { createAnthropicProvider } from '../../../extension/core/providers/anthropic/anthropic-provider.ts';
import { createCodexProvider } from '../../../extension/core/providers/codex/codex-provider.ts';
import { createOllamaProvider } from '../../../extension/core/providers/ollama/ollama-provider.ts';
import { createOpenAiProvider } from '../../../extension/core/providers/openai/openai-provider.ts';
import type { WireOptions } from '../../../extension/core/providers/wire/vendor.ts';
import { collect } from '../../support/wire/neutral.ts';

const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const textStart = { index: 0, content_block: { type: 'text', text: '' } };
const claudeDelta = (text: string) =>
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
const gptDelta = (delta: string) => event('response.output_text.delta', { output_index: 0, delta });
const chatDelta = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const line = (content: string) => `${JSON.stringify({ message: { content }, done: false })}\n`;

const ANSWER = { type: 'message', content: [{ type: 'output_text', text: 'abc' }] };

const DAMAGE = 'data: {"half\n\n';

interface Case {
  readonly name: string;
  readonly create: (options: WireOptions) => ModelProvider;
  /** Two pieces of text, and one that is no JSON between them and a third. */
  readonly body: string;
  /** The SDK reads the stream, and breaks off. */
  readonly isStrict?: true;
  /** The end of a complete reply. */
  readonly end: string;
}

const CASES: readonly Case[] = [
  {
    name: 'anthropic',
    create: createAnthropicProvider,
    body: `${event('content_block_start', textStart)}${claudeDelta('a')}${claudeDelta('b')}event: content_block_delta\n${DAMAGE}${claudeDelta('c')}`,
    isStrict: true,
    end: '',
  },
  {
    name: 'codex',
    create: createCodexProvider,
    body: `${gptDelta('a')}${gptDelta('b')}${DAMAGE}${gptDelta('c')}`,
    end: `${event('response.output_item.done', { output_index: 0, item: ANSWER })}${event('response.completed', { response: {} })}`,
  },
  {
    name: 'openai',
    create: createOpenAiProvider,
    body: `${chatDelta('a')}${chatDelta('b')}${DAMAGE}${chatDelta('c')}`,
    end: `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
  },
  {
    name: 'ollama',
    create: createOllamaProvider,
    body: `${line('a')}${line('b')}{"half\n${line('c')}`,
    end: `${JSON.stringify({ message: {}, done: true, done_reason: 'stop' })}\n`,
  },
];

const turn: Turn = {
  model: 'some-model',
  system: 'Work.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'q' }] }],
  tools: [],
  maxTokens: 4096,
};

describe.each(CASES)('$name', ({ name, create, body, isStrict, end }) => {
  const fetch: typeof globalThis.fetch = async (input) =>
    new Response(/\/(show|ps)$/.test(String(input)) ? '{}' : body);
  const provider = () => create({ apiKey: 'key', clock: new ManualClock(), fetch });
  const ask = (whole: string) =>
    collect(
      create({
        apiKey: 'key',
        clock: new ManualClock(),
        fetch: async (input) => new Response(/\/(show|ps)$/.test(String(input)) ? '{}' : whole),
      }).streamTurn(turn, new AbortController().signal),
    );

  test('what is no JSON is skipped; a reply without its end is incomplete', async () => {
    expect(await ask(body)).toEqual([
      { type: 'text_delta', text: 'a' },
      { type: 'text_delta', text: 'b' },
      ...(isStrict ? [] : [{ type: 'text_delta', text: 'c' }]),
      { type: 'error', error: expect.objectContaining({ kind: 'stream_incomplete' }) },
    ]);
  });

  test.skipIf(isStrict)(
    'a reply whose end is whole is kept, with one note for all that was skipped',
    async () => {
      const events = await ask(`${body}${name === 'ollama' ? '{"half\n' : DAMAGE}${end}`);
      expect(events.filter(({ type }) => type === 'text')).toMatchObject([{ text: 'abc' }]);
      expect(events.slice(-2)).toEqual([
        { type: 'notice', message: expect.stringContaining('unreadable') },
        { type: 'done', stop: 'end' },
      ]);
      expect(events.filter(({ type }) => type === 'notice')).toHaveLength(1);
    },
  );

  test.skipIf(isStrict)('an answer that is no reply at all is no reply', async () => {
    const lines = name === 'ollama' ? '{"half\n'.repeat(20) : DAMAGE.repeat(20);
    expect((await ask(`${lines}${end}`)).at(-1)).toMatchObject({ type: 'error' });
  });

  test('an abort between two events ends the stream between them', async () => {
    const abort = new AbortController();
    const events: ModelEvent[] = [];
    for await (const given of provider().streamTurn(turn, abort.signal)) {
      events.push(given);
      abort.abort();
    }
    expect(events).toEqual([{ type: 'text_delta', text: 'a' }]);
  });
});
