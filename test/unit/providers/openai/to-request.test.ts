import { expect, test } from 'vitest';
import type {
  AssistantBlock,
  Message,
  ToolSpec,
  Turn,
  UserBlock,
} from '../../../../extension/core/ports/model.ts';
import { EFFORTS } from '../../../../extension/core/ports/model.ts';
import { assistantBlocks, collect } from '../../../support/wire/neutral.ts';
import { ask, call, delta, entryOf, provider, requestOf, streaming, turn } from './support.ts';

const ls: AssistantBlock = { type: 'tool_call', id: 'call_1', name: 'ls', input: { path: 'ü' } };

function history(reply: readonly AssistantBlock[], answer: readonly UserBlock[] = []): Message[] {
  return [...turn().messages, { role: 'assistant', content: reply }, { role: 'user', content: answer }];
}

const result = (id: string, content = 'x'): UserBlock => ({
  type: 'tool_result',
  id,
  content,
  isError: false,
});

async function sent(changes: Partial<Turn>, name = 'openai', options = {}) {
  const { messages } = await requestOf(changes, { entry: entryOf(name), ...options });
  return messages.slice(changes.system === '' ? 0 : 1);
}

test('results stand directly behind their calls, then what the user says, context as text', async () => {
  const answer: UserBlock[] = [
    { type: 'context', kind: 'environment', text: '<environment>' },
    result('call_1'),
    { type: 'text', text: 'go on' },
    result('call_2', ''),
  ];
  const messages = await sent({ messages: history([ls, { ...ls, id: 'call_2' }], answer) });
  expect(messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'call_1', content: 'x' },
    { role: 'tool', tool_call_id: 'call_2', content: '(empty)' },
    { role: 'user', content: '<environment>\n\ngo on' },
  ]);
});

test('a message without text and calls is not sent, nor an empty text', async () => {
  const reply: AssistantBlock[] = [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: ' \n' },
  ];
  const messages = await sent({ messages: history(reply, [{ type: 'text', text: ' ' }]), system: ' ' });
  expect(messages).toEqual([]);
  expect((await requestOf({ messages: history(reply), system: '' })).messages).toEqual([
    { role: 'user', content: 'q' },
  ]);
});

const image: UserBlock = { type: 'image', name: 'a.png', mediaType: 'image/png', data: 'AAAA' };

test('images are parts beside the text, also behind results', async () => {
  const [, , tool, user] = await sent({
    messages: history([ls], [result('call_1'), image, { type: 'text', text: 'see' }]),
  });
  expect(tool).toEqual({ role: 'tool', tool_call_id: 'call_1', content: 'x' });
  expect(user).toEqual({
    role: 'user',
    content: [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'text', text: 'see' },
    ],
  });
});

test.each([
  ['whose file is missing', 'openai', 'gpt-5.6', { ...image, data: undefined }, 'missing'],
  ['for a model that sees none', 'groq', 'openai/gpt-oss-120b', image, 'cannot see'],
])('an image %s is told as a text', async (_, name, model, { data, ...rest }, words) => {
  const block = { ...rest, ...(data && { data }) } as UserBlock;
  const [user] = await sent({ model, messages: [{ role: 'user', content: [block] }] }, name);
  expect(user).toEqual({ role: 'user', content: expect.stringContaining(words) });
});

test('broken characters, strange names and strange ids are made good, always in the same way', async () => {
  const id = 'functions.ls:0';
  const reply: AssistantBlock[] = [
    { type: 'tool_call', id, name: 'no such tool!', input: { text: '\ud83d' } },
  ];
  const [, assistant, tool] = await sent({ messages: history(reply, [result(id, 'x\udc00')]) });
  const [{ id: sentId, function: called }] = (
    assistant as { tool_calls: [{ id: string; function: unknown }] }
  ).tool_calls;
  expect(sentId).toMatch(/^call_[0-9a-f]{32}$/);
  expect(called).toEqual({ name: 'no_such_tool_', arguments: '{"text":"\ufffd"}' });
  expect(tool).toEqual({ role: 'tool', tool_call_id: sentId, content: 'x\ufffd' });
});

test('Mistral gets ids of nine letters and digits, the same on both sides', async () => {
  const reply: AssistantBlock[] = [ls, { ...ls, id: 'D681PevKs' }];
  const messages = history(reply, [result('call_1'), result('D681PevKs')]);
  const [, assistant, first, second] = await sent({ messages }, 'mistral');
  const ids = (assistant as { tool_calls: { id: string }[] }).tool_calls.map(({ id }) => id);
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-zA-Z]{9}$/), 'D681PevKs']);
  expect([first?.tool_call_id, second?.tool_call_id]).toEqual(ids);
});

const tool: ToolSpec = {
  name: 'ls',
  description: 'It lists.',
  inputSchema: { $schema: 'x', type: 'object', properties: { path: { type: 'string' } }, anyOf: [] },
};

test('tools are functions, without what the servers refuse in their schemas', async () => {
  const { tools } = await requestOf({ tools: [tool, { ...tool, name: 'pwd', inputSchema: {} }] });
  expect(tools).toEqual([
    {
      type: 'function',
      function: {
        name: 'ls',
        description: 'It lists.',
        parameters: { type: 'object', properties: { path: { type: 'string' } } },
      },
    },
    {
      type: 'function',
      function: { name: 'pwd', description: 'It lists.', parameters: { type: 'object', properties: {} } },
    },
  ]);
});

test('a history with calls has tools also where there are none any more', async () => {
  const messages = history([ls], [result('call_1')]);
  const { tools, tool_choice } = await requestOf({ messages });
  expect(tools).toMatchObject([{ function: { name: 'ls' } }]);
  expect(tool_choice).toBe('none');
  expect(await requestOf({})).not.toHaveProperty('tools');
});

test('a server that nobody knows is sent nothing that is not common', async () => {
  const messages = history(
    [{ type: 'reasoning', text: 'hm', opaque: opaque({ echo: 'reasoning_content' }) }, ls],
    [result('call_1')],
  );
  const body = await requestOf({ messages, tools: [tool] }, { baseUrl: 'https://llm.example.com/v1' });
  expect(Object.keys(body)).toEqual(['model', 'stream', 'stream_options', 'max_tokens', 'tools', 'messages']);
  expect(body.messages[0]).toEqual({ role: 'system', content: 'Work.' });
  expect(Object.keys(body.messages[2] ?? {})).toEqual(['role', 'content', 'tool_calls']);
  expect(body.messages[2]?.content).toBe('');
});

test('OpenAI itself gets the developer role, its own limit and null beside calls', async () => {
  const body = await requestOf({
    model: 'gpt-5.6',
    messages: history([ls], [result('call_1')]),
    effort: 'xhigh',
  });
  expect(body).toMatchObject({ max_completion_tokens: 4096, reasoning_effort: 'xhigh' });
  expect(body).not.toHaveProperty('max_tokens');
  expect(body.messages[0]).toEqual({ role: 'developer', content: 'Work.' });
  expect(body.messages[2]?.content).toBeNull();
  expect((await requestOf({ model: 'gpt-4.1', effort: 'high' })).messages[0]?.role).toBe('system');
  expect(await requestOf({ model: 'gpt-4.1', effort: 'high' })).not.toHaveProperty('reasoning_effort');
});

test.each([
  ['openrouter', 'z-ai/glm-5', 'minimal', { reasoning: { effort: 'minimal' } }],
  ['deepseek', 'deepseek-flash', 'none', { thinking: { type: 'disabled' } }],
  ['deepseek', 'deepseek-flash', 'xhigh', { reasoning_effort: 'max' }],
  ['gemini', 'gemini-3.8-flash', 'none', { reasoning_effort: 'low' }],
  ['groq', 'openai/gpt-oss-120b', 'medium', { reasoning_effort: 'medium' }],
  ['mistral', 'mistral-medium-3-5', 'high', { reasoning_effort: 'high' }],
  ['xai', 'grok-4.7', 'none', { reasoning_effort: 'none' }],
] as const)('%s/%s at the effort %s', async (name, model, effort, fields) => {
  expect(await requestOf({ model, effort }, { entry: entryOf(name) })).toMatchObject(fields);
});

test.each([
  ['xai', 'grok-4.20-reasoning'],
  ['mistral', 'codestral-latest'],
  ['groq', 'llama-3.3-70b'],
])('%s/%s is told of no effort, since it would refuse it', async (name, model) => {
  for (const effort of EFFORTS) {
    const body = await requestOf({ model, effort }, { entry: entryOf(name) });
    expect(body).not.toHaveProperty('reasoning_effort');
  }
});

test('OpenAI is told which requests belong together, others are not', async () => {
  expect(await requestOf({ session: 's1' })).toMatchObject({ prompt_cache_key: 's1' });
  expect(await requestOf({ session: 's1' }, { entry: entryOf('groq') })).not.toHaveProperty(
    'prompt_cache_key',
  );
});

test('Claude behind OpenRouter is asked to keep the prompt in its cache', async () => {
  const entry = entryOf('openrouter');
  expect(await requestOf({ model: 'anthropic/claude-sonnet-5-5' }, { entry })).toMatchObject({
    cache_control: { type: 'ephemeral' },
  });
  expect(await requestOf({ model: 'openai/gpt-5.6' }, { entry })).not.toHaveProperty('cache_control');
});

const opaque = (data: unknown, name = 'openai', model = 'test-model') => ({ provider: name, model, data });

/** A reply of this server, and the assistant message of the next request to a model of it. */
async function echoed(name: string, model: string, chunks: readonly unknown[], next = model) {
  const entry = entryOf(name);
  const events = await ask({ entry, fetch: streaming(...chunks, delta({}, 'stop')) }, { model });
  const results = events.flatMap((event) => (event.type === 'tool_call' ? [result(event.id)] : []));
  const [, assistant] = await sent(
    { model: next, messages: history(assistantBlocks(events), results) },
    name,
  );
  return assistant;
}

const called = call({ index: 0, id: 'call_1' }, { name: 'ls', arguments: '{}' });

test('DeepSeek gets its reasoning back, and an empty one beside calls of another model', async () => {
  const chunks = [delta({ reasoning_content: 'hm' }), called];
  expect(await echoed('deepseek', 'deepseek-flash', chunks)).toMatchObject({ reasoning_content: 'hm' });
  expect(await echoed('deepseek', 'deepseek-flash', chunks, 'deepseek-v4-pro')).toMatchObject({
    reasoning_content: '',
  });
  expect(await echoed('deepseek', 'deepseek-flash', [delta({ content: 'a' })])).toEqual({
    role: 'assistant',
    content: 'a',
  });
});

test('OpenRouter gets its details back unmodified, encrypted ones that came late too', async () => {
  const text = (fields: object) => ({
    type: 'reasoning.text',
    format: 'anthropic-claude-v1',
    index: 0,
    ...fields,
  });
  const secret = {
    type: 'reasoning.encrypted',
    data: 'gAAA',
    id: 'call_1',
    format: 'google-gemini-v1',
    index: 1,
  };
  const chunks = [
    delta({ reasoning: 'a', reasoning_details: [text({ text: 'a' })] }),
    delta({ reasoning: 'b', reasoning_details: [text({ text: 'b' })] }),
    delta({ content: 'said', reasoning_details: [text({ signature: 'S' })] }),
    called,
    delta({ reasoning_details: [secret] }),
  ];
  const model = 'google/gemini-3.8-flash';
  expect(await echoed('openrouter', model, chunks)).toMatchObject({
    content: 'said',
    reasoning_details: [text({ text: 'ab', signature: 'S' }), secret],
  });
  expect(await echoed('openrouter', model, chunks, 'openai/gpt-5.6')).not.toHaveProperty('reasoning_details');
});

test('Gemini gets its signatures back, and a dummy on the first call of another model', async () => {
  const model = 'gemini-3.8-flash';
  const signed = call(
    { id: 'call_1', extra_content: { google: { thought_signature: 'S' } } },
    { name: 'ls', arguments: '{}' },
  );
  const second = call({ id: 'call_2' }, { name: 'ls', arguments: '{}' });
  const dummy = { google: { thought_signature: 'skip_thought_signature_validator' } };
  const callsOf = (message: unknown) => (message as { tool_calls: readonly object[] }).tool_calls;
  const own = callsOf(await echoed('gemini', model, [signed, second]));
  expect(own[0]).toMatchObject({ extra_content: { google: { thought_signature: 'S' } } });
  expect(own[1]).not.toHaveProperty('extra_content');
  const foreign = callsOf(await echoed('gemini', model, [signed, second], 'gemini-3.1-pro-preview'));
  expect(foreign[0]).toMatchObject({ extra_content: dummy });
  expect(foreign[1]).not.toHaveProperty('extra_content');
});

test.each(['openai', 'lmstudio', 'groq'])(
  'whatever the server is called (%s), it gets back what it sent with a reply and its calls',
  async (name) => {
    const details = [{ type: 'reasoning.encrypted', data: 'gAAA', index: 0, odd: [1, null, 'é'] }];
    const extra = { google: { thought_signature: 'S+/=' } };
    const other = { provider_specific_fields: { thought_signature: 'T' }, thought_signature: 'U' };
    const chunks = [
      delta({ reasoning: 'hm', reasoning_details: details }),
      delta({ content: 'said', extra_content: extra, message_signature: 'V' }),
      call({ index: 0, id: 'call_1', extra_content: extra }, { name: 'ls', arguments: '{}' }),
      call({ index: 1, id: 'call_2', ...other }, { name: 'ls', arguments: '{}' }),
    ];
    expect(await echoed(name, 'some-model', chunks)).toMatchObject({
      content: 'said',
      reasoning_details: details,
      extra_content: extra,
      message_signature: 'V',
      tool_calls: [
        { id: 'call_1', extra_content: extra },
        { id: 'call_2', ...other },
      ],
    });
    const foreign = JSON.stringify(await echoed(name, 'some-model', chunks, 'another-model'));
    expect(foreign).not.toMatch(/signature|reasoning|gAAA/);
  },
);

test('Mistral gets its thinking back as a part', async () => {
  const chunks = [
    delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
    delta({ content: 'a' }),
  ];
  expect(await echoed('mistral', 'mistral-medium-3-5', chunks)).toEqual({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'a' },
    ],
  });
});

test('a message is translated once for each model, however often it is sent', async () => {
  let reads = 0;
  const block: UserBlock = {
    type: 'text',
    get text() {
      reads++;
      return 'q';
    },
  };
  const asked = provider({ fetch: streaming('data: [DONE]') });
  const messages: Message[] = [{ role: 'user', content: [block] }];
  const send = (model: string) =>
    collect(asked.streamTurn(turn({ model, messages }), new AbortController().signal));
  await send('a');
  const once = reads;
  await send('a');
  expect(reads).toBe(once);
  await send('b');
  expect(reads).toBe(2 * once);
});
