// How much each generation of Claude is asked to think.
import { expect, onTestFinished, test } from 'vitest';
import { EFFORTS, type Effort, type Message } from '../../../../extension/core/ports/model.ts';
import { toAnthropicRequest } from '../../../../extension/core/providers/anthropic/to-request.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import type { ScriptedReply } from '../../../../scripts/lib/claude/anthropic-script.ts';
import { type FakeOptions, playScript } from '../../../../scripts/lib/claude/fake-anthropic.ts';
import { assistantBlocks, collect } from '../../../support/wire/neutral.ts';
import { provider, turn } from './support.ts';

const ADAPTIVE = { type: 'adaptive', display: 'summarized' };
const BETA = 'interleaved-thinking-2025-05-14';
const tools = [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }];
const prompt: Message = { role: 'user', content: [{ type: 'text', text: 'q' }] };

async function serve(replies: readonly ScriptedReply[], options?: FakeOptions) {
  const server = await playScript((_request, index) => replies[index] ?? {}, options);
  onTestFinished(() => server.close());
  return server;
}

function asked(model: string, effort: Effort | undefined, maxTokens = 32_000) {
  const { thinking, output_config } = toAnthropicRequest(turn({ model, effort, maxTokens }), new Set());
  return [thinking, output_config?.effort];
}

const adaptive: [model: string, none: unknown, xhigh: string][] = [
  ['claude-fable-5-2', [ADAPTIVE, 'low'], 'xhigh'],
  ['claude-mythos-5-1', [ADAPTIVE, 'low'], 'xhigh'],
  ['claude-opus-5-5', [ADAPTIVE, 'low'], 'xhigh'],
  ['claude-sonnet-5-5', [{ type: 'between_tools' }, undefined], 'xhigh'],
  ['claude-haiku-5-5', [{ type: 'disabled' }, undefined], 'xhigh'],
  ['claude-opus-5', [{ type: 'disabled' }, undefined], 'xhigh'],
  ['claude-sonnet-5', [{ type: 'disabled' }, undefined], 'xhigh'],
  ['claude-opus-4-7', [{ type: 'disabled' }, undefined], 'xhigh'],
  ['claude-opus-4-6', [{ type: 'disabled' }, undefined], 'high'],
  ['claude-sonnet-4-6-20260201', [{ type: 'disabled' }, undefined], 'high'],
  ['claude-next-7-10', [ADAPTIVE, 'low'], 'xhigh'],
];

test.each(adaptive)('%s decides by itself when to think, within the effort', (model, none, xhigh) => {
  expect(asked(model, undefined)).toEqual([ADAPTIVE, undefined]);
  expect(asked(model, 'none')).toEqual(none);
  expect(asked(model, 'minimal')).toEqual([ADAPTIVE, 'low']);
  expect(asked(model, 'medium')).toEqual([ADAPTIVE, 'medium']);
  expect(asked(model, 'xhigh')).toEqual([ADAPTIVE, xhigh]);
});

const budgeted = [
  'claude-haiku-4-5',
  'claude-haiku-4-5-20251001',
  'claude-opus-4-5',
  'claude-opus-4-20250514',
];

test.each(budgeted)('%s thinks with a budget, a share of the reply', (model) => {
  const budget = (tokens: number) => [{ type: 'enabled', budget_tokens: tokens }, undefined];
  expect(asked(model, undefined)).toEqual([undefined, undefined]);
  expect(asked(model, 'none')).toEqual([undefined, undefined]);
  expect(asked(model, 'minimal')).toEqual(budget(1024));
  expect(asked(model, 'low')).toEqual(budget(4000));
  expect(asked(model, 'high')).toEqual(budget(16_000));
  expect(asked(model, 'xhigh')).toEqual(budget(24_000));
  expect(asked(model, 'low', 2000)).toEqual(budget(1024));
  expect(asked(model, 'high', 1024)).toEqual([undefined, undefined]);
});

test.each(['claude-3-7-sonnet-20250219', 'claude-mythos-preview', 'glm-5-6'])(
  'Of %s nothing is known, so it is asked for nothing',
  (model) => expect(asked(model, 'high')).toEqual([undefined, undefined]),
);

test('No model refuses any effort', async () => {
  const server = await serve([]);
  for (const [model] of [...adaptive, ...budgeted.map((name) => [name])]) {
    for (const effort of EFFORTS) {
      const given = turn({ model: String(model), effort, messages: [prompt], tools });
      await collect(provider({ baseUrl: server.url }).streamTurn(given, new AbortController().signal));
    }
  }
  expect(server.violations).toEqual([]);
  expect(server.requests).toHaveLength((adaptive.length + budgeted.length) * EFFORTS.length);
});

const thoughtful: readonly ScriptedReply[] = [
  {
    blocks: [
      { type: 'thinking', thinking: 'Look.' },
      { type: 'tool_use', name: 'read', input: {} },
    ],
  },
  {
    blocks: [
      { type: 'redacted_thinking', data: 'EmwKAhgB' },
      { type: 'tool_use', name: 'read', input: {} },
    ],
  },
  { blocks: [{ type: 'text', text: 'Done.' }] },
];

/** Answers each call; gives all messages. */
async function converse(baseUrl: string, model: string, effort?: Effort, messages: Message[] = [prompt]) {
  for (;;) {
    const given = turn({ model, effort, messages: [...messages], tools, maxTokens: 32_000 });
    const stream = provider({ baseUrl, clock: systemClock }).streamTurn(given, new AbortController().signal);
    const events = await collect(stream);
    const content = assistantBlocks(events);
    messages.push({ role: 'assistant', content });
    const results = content.flatMap((block) =>
      block.type === 'tool_call'
        ? [{ type: 'tool_result', id: block.id, content: 'r', isError: false } as const]
        : [],
    );
    if (results.length === 0) return messages;
    messages.push({ role: 'user', content: results });
  }
}

test('A model with a budget thinks between its calls, and has its thoughts back unchanged', async () => {
  const server = await serve(thoughtful);
  await converse(server.url, 'claude-opus-4-5', 'medium');
  expect(server.violations).toEqual([]);
  expect(server.requests.map(({ headers }) => headers['anthropic-beta'])).toEqual([BETA, BETA, BETA]);
  expect(server.requests.map(({ body }) => body.thinking?.budget_tokens)).toEqual([8000, 8000, 8000]);
  expect(server.requests.at(-1)?.raw).toContain('{"type":"redacted_thinking","data":"EmwKAhgB"}');
});

test('Without tools, without effort, and for later models no beta is asked for', async () => {
  const server = await serve([]);
  const models = [
    { model: 'claude-opus-4-5', effort: 'high', tools: [] },
    { model: 'claude-opus-4-5', tools },
    { model: 'claude-opus-5-5', effort: 'high', tools },
  ] as const;
  for (const changes of models) {
    const stream = provider({ baseUrl: server.url }).streamTurn(turn(changes), new AbortController().signal);
    await collect(stream);
  }
  expect(server.requests.map(({ headers }) => headers['anthropic-beta'])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('A turn that another model began goes on without a budget, and the next one has it again', async () => {
  const server = await serve([{ blocks: [{ type: 'tool_use', name: 'read', input: {} }] }, ...thoughtful]);
  const begun: Message[] = [
    prompt,
    {
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: 'Look.',
          opaque: { provider: 'anthropic', model: 'claude-opus-5-5', data: { type: 'thinking' } },
        },
        { type: 'tool_call', id: 'toolu_9', name: 'read', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', id: 'toolu_9', content: 'r', isError: false }] },
  ];
  const messages = await converse(server.url, 'claude-haiku-4-5', 'high', begun);
  expect(server.requests.map(({ body }) => body.thinking)).toEqual(server.requests.map(() => undefined));
  await converse(server.url, 'claude-haiku-4-5', 'high', [...messages, prompt]);
  expect(server.requests.at(-1)?.body.thinking).toEqual({ type: 'enabled', budget_tokens: 16_000 });
  expect(server.violations).toEqual([]);
});

test('The tokens of a turn are counted by the API, with all that the turn would send', async () => {
  const server = await serve([]);
  const given = turn({ tools, effort: 'high' });
  const count = (changes = {}) =>
    provider({ baseUrl: server.url }).countTokens?.({ ...given, ...changes }, new AbortController().signal);
  const { stream, max_tokens, ...sent } = toAnthropicRequest(given, new Set());
  expect(await count()).toBe(Math.ceil(JSON.stringify(sent).length / 4));
  expect(await count({ tools: [] })).toBeLessThan(Number(await count()));
  expect(server.requests).toEqual([]);
});

test('A count that fails tells why', async () => {
  const server = await serve([], { apiKey: 'another' });
  const count = provider({ baseUrl: server.url }).countTokens?.(turn(), new AbortController().signal);
  await expect(count).rejects.toMatchObject({ error: { kind: 'auth', retryable: false } });
});
