// A session's history is sent with every request. What was sent before is neither read nor changed again: it would cost
// the more the longer a session is, and the provider's cache knows a request by the bytes that it begins with.
import { describe, expect, test } from 'vitest';
import type { Message, ModelProvider, Turn, UserBlock } from '../../../extension/core/ports/model.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import { createAnthropicProvider } from '../../../extension/core/providers/anthropic/anthropic-provider.ts';
import { createCodexProvider } from '../../../extension/core/providers/codex/codex-provider.ts';
import { createOllamaProvider } from '../../../extension/core/providers/ollama/ollama-provider.ts';
import { createOpenAiProvider } from '../../../extension/core/providers/openai/openai-provider.ts';
import type { WireOptions } from '../../../extension/core/providers/wire/vendor.ts';
import { collect } from '../../support/wire/neutral.ts';

const MODELS: readonly (readonly [string, string, (options: WireOptions) => ModelProvider])[] = [
  ['anthropic', 'claude-sonnet-5-5', createAnthropicProvider],
  ['codex', 'gpt-5.6-sol', createCodexProvider],
  ['openai', 'gpt-4.1', createOpenAiProvider],
  ['ollama', 'qwen3', createOllamaProvider],
];

const tools = [{ name: 'read', description: 'It reads.', inputSchema: { type: 'object', properties: {} } }];

interface Conversation {
  readonly messages: Message[];
  /** What of its blocks has been read, in order. */
  readonly reads: string[];
  /** The bodies of the requests. */
  readonly bodies: string[];
  /** Sends what there is. */
  ask(): Promise<void>;
}

function converse(model: string, create: (options: WireOptions) => ModelProvider): Conversation {
  const [messages, reads, bodies]: [Message[], string[], string[]] = [[], [], []];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const isReply = /messages|responses|completions|chat$/.test(String(input));
    if (isReply) bodies.push(String(init?.body));
    return new Response(isReply ? '' : '{}');
  };
  const provider = create({ apiKey: 'key', clock: new ManualClock(), fetch });
  const turn: Turn = { model, system: 'Work.', messages, tools, maxTokens: 4096, session: 's' };
  const ask = async () => {
    await collect(provider.streamTurn(turn, new AbortController().signal));
  };
  return { messages, reads, bodies, ask };
}

/** A prompt, a reply that thinks, says something and calls, and the call's result: they tell when they are read. */
function addRound({ messages, reads }: Conversation, round: number): void {
  const noted = <Value>(name: string, value: Value): Value => {
    reads.push(`${name} ${round}`);
    return value;
  };
  const result: UserBlock = {
    type: 'tool_result',
    id: `call_${round}`,
    isError: false,
    get content() {
      return noted('result', `Read ${round}: half a \ud83d character`);
    },
  };
  messages.push(
    {
      role: 'user',
      content: [
        { type: 'text', text: `Prompt ${round}.` },
        {
          type: 'text',
          get text() {
            return noted('prompt', `More of ${round}.`);
          },
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.' },
        {
          type: 'text',
          get text() {
            return noted('text', `I read ${round}.`);
          },
        },
        {
          type: 'tool_call',
          id: `call_${round}`,
          name: 'read',
          get input() {
            return noted('call', { path: `${round}.ts` });
          },
        },
      ],
    },
    { role: 'user', content: [result] },
    { role: 'assistant', content: [{ type: 'text', text: `Done with ${round}.` }] },
  );
}

describe.each(MODELS)('%s', (_name, model, create) => {
  test('only what is new in a history is read for a request', async () => {
    const conversation = converse(model, create);
    for (let round = 0; round < 250; round++) addRound(conversation, round);
    await conversation.ask();
    expect(new Set(conversation.reads).size).toBe(1000);
    conversation.reads.length = 0;
    addRound(conversation, 250);
    await conversation.ask();
    expect(new Set(conversation.reads)).toEqual(
      new Set(['prompt 250', 'text 250', 'call 250', 'result 250']),
    );
  });

  test('the requests of a session begin with the same bytes', async () => {
    const conversation = converse(model, create);
    for (let round = 0; round < 4; round++) {
      addRound(conversation, round);
      const answer = conversation.messages.pop();
      await conversation.ask();
      if (answer) conversation.messages.push(answer);
    }
    const prefixes = conversation.bodies.map((body) => unmarked(body).replace(/\]\}$/, ''));
    expect(prefixes).toHaveLength(4);
    for (const [index, later] of prefixes.slice(1).entries()) {
      expect(later.startsWith(prefixes[index] ?? '-')).toBe(true);
      expect(later).toContain(`Prompt ${index + 1}.`);
    }
  });

  test('a message that is changed is another message, and is sent as it is now', async () => {
    const conversation = converse(model, create);
    addRound(conversation, 0);
    await conversation.ask();
    conversation.messages.splice(0, 1, {
      role: 'user',
      content: [{ type: 'text', text: 'Something else.' }],
    });
    await conversation.ask();
    expect(conversation.bodies[1]).toContain('Something else.');
    expect(conversation.bodies[1]).not.toContain('Prompt 0.');
  });
});

/** Marks for the cache are no part of what is cached. */
function unmarked(body: string): string {
  return body.replace(/,"cache_control":\{"type":"ephemeral"\}/g, '');
}

test('Ollama: a result is named by the call before it, also where that is not the one it was sent behind at first', async () => {
  const conversation = converse('qwen3', createOllamaProvider);
  const call = (name: string): Message => ({
    role: 'assistant',
    content: [{ type: 'tool_call', id: 'call_1', name, input: {} }],
  });
  const result: Message = {
    role: 'user',
    content: [{ type: 'tool_result', id: 'call_1', content: 'x', isError: false }],
  };
  conversation.messages.push(call('read'), result);
  await conversation.ask();
  conversation.messages.splice(0, 1, call('write'));
  await conversation.ask();
  expect(conversation.bodies.map((body) => /"tool_name":"(\w+)"/.exec(body)?.[1])).toEqual(['read', 'write']);
});
