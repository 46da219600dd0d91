// Pieces of a reply that arrive together are read at a stretch: what was understood before damage is given all the same,
// and an abort comes between any two events.
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

const DAMAGE = 'data: {"half\n\n';

interface Case {
  readonly name: string;
  readonly create: (options: WireOptions) => ModelProvider;
  /** Two pieces of text, and one that is no JSON between them and a third. */
  readonly body: string;
}

const CASES: readonly Case[] = [
  {
    name: 'anthropic',
    create: createAnthropicProvider,
    body: `${event('content_block_start', textStart)}${claudeDelta('a')}${claudeDelta('b')}event: content_block_delta\n${DAMAGE}${claudeDelta('c')}`,
  },
  {
    name: 'codex',
    create: createCodexProvider,
    body: `${gptDelta('a')}${gptDelta('b')}${DAMAGE}${gptDelta('c')}`,
  },
  {
    name: 'openai',
    create: createOpenAiProvider,
    body: `${chatDelta('a')}${chatDelta('b')}${DAMAGE}${chatDelta('c')}`,
  },
  {
    name: 'ollama',
    create: createOllamaProvider,
    body: `${line('a')}${line('b')}{"half\n${line('c')}`,
  },
];

const turn: Turn = {
  model: 'some-model',
  system: 'Work.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'q' }] }],
  tools: [],
  maxTokens: 4096,
};

describe.each(CASES)('$name', ({ create, body }) => {
  const fetch: typeof globalThis.fetch = async (input) =>
    new Response(/\/(show|ps)$/.test(String(input)) ? '{}' : body);
  const provider = () => create({ apiKey: 'key', clock: new ManualClock(), fetch });

  test('what came before damage is given, then why the reply broke off, and nothing behind it', async () => {
    const seen: unknown[] = [];
    const hooks = { onRawEvent: (raw: unknown) => seen.push(raw) };
    const events = await collect(provider().streamTurn(turn, new AbortController().signal, hooks));
    expect(events).toEqual([
      { type: 'text_delta', text: 'a' },
      { type: 'text_delta', text: 'b' },
      { type: 'error', error: expect.objectContaining({ kind: 'stream_incomplete' }) },
    ]);
    expect(JSON.stringify(seen)).toContain('"b"');
    expect(JSON.stringify(seen)).not.toContain('"c"');
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
