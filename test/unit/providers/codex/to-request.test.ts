import { expect, test } from 'vitest';
import type {
  AssistantBlock,
  Effort,
  Message,
  ToolSpec,
  Turn,
  UserBlock,
} from '../../../../extension/core/ports/model.ts';
import { toCodexRequest } from '../../../../extension/core/providers/codex/to-request.ts';
import type { ContextKind } from '../../../../extension/protocol/context-kind.ts';
import { MODEL, turn } from './support.ts';

const user = (...content: UserBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: AssistantBlock[]): Message => ({ role: 'assistant', content });
const text = (value: string) => ({ type: 'text', text: value }) as const;
const context = (kind: ContextKind) => ({ type: 'context', kind, text: `<${kind}>` }) as const;
const result = (id: string, content = 'r') => ({ type: 'tool_result', id, content, isError: false }) as const;
const call = (id: string, input = {}) => ({ type: 'tool_call', id, name: 'read', input }) as const;
const opaque = (data: object, from: { provider?: string; model?: string } = {}) => ({
  provider: 'codex',
  model: MODEL,
  data,
  ...from,
});
const thought = (from: { provider?: string; model?: string } = {}): AssistantBlock => ({
  type: 'reasoning',
  text: 'Hm',
  opaque: opaque({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }, from),
});
const patch = (id: string): AssistantBlock => ({
  type: 'tool_call',
  id,
  name: 'apply_patch',
  input: { input: '*** Begin Patch' },
  opaque: opaque({ type: 'custom_tool_call' }),
});
const freeform: ToolSpec = {
  name: 'apply_patch',
  description: 'Patches.',
  inputSchema: { $schema: 'x', type: 'object', properties: { input: { type: 'string' } } },
  freeform: { syntax: 'lark', definition: 'start: "a"' },
};

function input(messages: readonly Message[], changes: Partial<Turn> = {}): Record<string, unknown>[] {
  // The input is a list of items.
  return toCodexRequest(turn({ messages, ...changes })).input as Record<string, unknown>[];
}

/** The items as `role: types`, or their own type. */
function shape(messages: readonly Message[], changes: Partial<Turn> = {}): string[] {
  return input(messages, changes).map(({ type, role, content }) =>
    type === 'message'
      ? `${role}: ${(content as { type: string }[]).map((part) => part.type).join(' ')}`
      : String(type),
  );
}

test('A request as it goes out', () => {
  const given = turn({ tools: [{ ...freeform, freeform: undefined }], effort: 'high', session: 's-1' });
  expect(toCodexRequest(given)).toEqual({
    model: MODEL,
    instructions: 'Work.',
    stream: true,
    store: false,
    prompt_cache_key: 's-1',
    max_output_tokens: 4096,
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'high', summary: 'auto' },
    text: { verbosity: 'low' },
    tools: [
      {
        type: 'function',
        name: 'apply_patch',
        description: 'Patches.',
        strict: false,
        parameters: { type: 'object', properties: { input: { type: 'string' } } },
      },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'q' }] }],
  });
});

test('A model is sent what it takes alone', () => {
  expect(Object.keys(toCodexRequest(turn({ model: 'gpt-4.1' })))).toEqual([
    'model',
    'instructions',
    'stream',
    'store',
    'max_output_tokens',
    'input',
  ]);
  expect(toCodexRequest(turn({ model: 'gpt-5.1-codex' }))).not.toHaveProperty('text');
  expect(toCodexRequest(turn({ model: 'gpt-5-chat-latest' }))).not.toHaveProperty('include');
  expect(toCodexRequest(turn({ model: 'o4-mini' }))).toHaveProperty('include');
});

const efforts: [model: string, wanted: Effort, sent: Effort][] = [
  ['gpt-5.6-sol', 'none', 'none'],
  ['gpt-5.6-sol', 'xhigh', 'xhigh'],
  ['gpt-5.6-sol', 'minimal', 'none'],
  ['gpt-5', 'none', 'minimal'],
  ['gpt-5', 'xhigh', 'high'],
  ['gpt-5-codex', 'minimal', 'low'],
  ['gpt-5.1-codex-max', 'xhigh', 'xhigh'],
  ['o4-mini', 'none', 'low'],
];

test.each(efforts)('%s asked for %s thinks %s', (model, effort, sent) => {
  expect(toCodexRequest(turn({ model, effort }))).toMatchObject({ reasoning: { effort: sent } });
});

test('A freeform tool goes with its grammar to models that take one, to others as a function', () => {
  const [sent] = toCodexRequest(turn({ tools: [freeform] })).tools as object[];
  const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };
  expect(sent).toEqual({ type: 'custom', name: 'apply_patch', description: 'Patches.', format });
  const messages = [user(text('q')), assistant(patch('1')), user(result('1'))];
  expect(shape(messages)).toEqual(['user: input_text', 'custom_tool_call', 'custom_tool_call_output']);
  const [other] = toCodexRequest(turn({ model: 'o4-mini', tools: [freeform] })).tools as object[];
  expect(other).toMatchObject({ type: 'function', parameters: { type: 'object' } });
  expect(input(messages, { model: 'o4-mini' })).toMatchObject([
    {},
    { type: 'function_call', arguments: '{"input":"*** Begin Patch"}' },
    { type: 'function_call_output' },
  ]);
  expect(shape(messages, { model: 'gpt-5' })).toContain('custom_tool_call_output');
});

test('Context stands where this API wants it', () => {
  const kinds = ['permissions', 'instructions', 'environment', 'collaboration'] as const;
  expect(input([user(...kinds.map(context), text('q'))])).toEqual([
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: '<permissions>' }] },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: '<instructions>' },
        { type: 'input_text', text: '<environment>' },
      ],
    },
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: '<collaboration>' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'q' }] },
  ]);
});

test('Results come directly behind the calls', () => {
  const messages = [
    user(text('q')),
    assistant(call('1'), call('2')),
    user(text('stop'), result('2', ''), result('1')),
  ];
  expect(shape(messages).slice(1)).toEqual([
    'function_call',
    'function_call',
    'function_call_output',
    'function_call_output',
    'user: input_text',
  ]);
  expect(input(messages)[3]).toMatchObject({ call_id: '2', output: '(empty)' });
});

test('Images go along; of a missing one there is a word', () => {
  const image = { type: 'image', name: 'a.png', mediaType: 'image/png' } as const;
  expect(input([user(text('Look'), { ...image, data: 'AAAA' }, image)])).toMatchObject([
    {
      content: [
        { type: 'input_text', text: 'Look' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        { type: 'input_text', text: expect.stringContaining('missing') },
      ],
    },
  ]);
});

test('Thinking goes back with what it led to, without the id of the server', () => {
  const sent = input([user(text('q')), assistant(thought(), call('1'), thought()), user(result('1'))]);
  expect(sent.slice(1, 3)).toMatchObject([
    { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' },
    { type: 'function_call' },
  ]);
  expect(sent[3]).toMatchObject({ type: 'function_call_output' });
  expect(JSON.stringify(sent)).not.toContain('rs_1');
});

test('What another model or provider made is left out', () => {
  const phase: AssistantBlock = { ...text('b'), opaque: opaque({ phase: 'commentary' }, { model: 'gpt-5' }) };
  const foreign: AssistantBlock = {
    type: 'provider_block',
    opaque: opaque({ type: 'compaction' }, { model: 'gpt-5' }),
  };
  const reply = assistant(thought({ model: 'gpt-5' }), thought({ provider: 'anthropic' }), foreign, phase);
  expect(input([user(text('q')), reply]).slice(1)).toEqual([
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
  ]);
});

test('Ids and names that the API would not take are replaced, always by the same ones', () => {
  const odd = `call:${'x'.repeat(80)}`;
  const messages = [user(text('q')), assistant({ ...call(odd), name: 'read file!' }), user(result(odd))];
  const [, asked, answer] = input(messages);
  expect(asked).toMatchObject({ call_id: expect.stringMatching(/^call_[\w-]{43}$/), name: 'read_file_' });
  expect(answer?.call_id).toBe(asked?.call_id);
  expect(input(messages)[1]?.call_id).toBe(asked?.call_id);
});

test('Text is whole characters, and nothing empty is sent', () => {
  const half = '\ud83d';
  const body = JSON.stringify(
    input([
      user(text(`a${half}`)),
      assistant(text(' \n'), call('1', { path: half })),
      user(result('1', half), text('  ')),
    ]),
  );
  expect(body).not.toMatch(/\\ud[89a-f]/i);
  expect(body).not.toContain('output_text');
  expect(body).toContain('�');
});

test('A later request begins with the bytes of the one before it', () => {
  const messages: Message[] = [user(context('permissions'), text('q'))];
  let last = '';
  for (let index = 0; index < 20; index++) {
    const raw = JSON.stringify(toCodexRequest(turn({ messages, tools: [freeform] }))).slice(0, -2);
    expect(raw.startsWith(last)).toBe(true);
    last = raw;
    messages.push(assistant(thought(), text('a'), patch(`p${index}`), call(`c${index}`)));
    messages.push(user(result(`p${index}`), result(`c${index}`), text('next')));
  }
});

test('A block is translated once', () => {
  let reads = 0;
  const counted = {
    type: 'tool_call',
    id: '1',
    name: 'read',
    get input() {
      reads++;
      return { path: 'a' };
    },
  } as const;
  const messages = [user(text('q')), assistant(counted), user(result('1'))];
  input(messages);
  const first = reads;
  input(messages);
  expect(reads).toBe(first);
});

test('What the model thought has whole characters too', () => {
  const summary = [{ type: 'summary_text', text: 'cut \ud83d' }];
  const data = { type: 'reasoning', summary, encrypted_content: 'gAAAA' };
  const sent = input([
    user(text('q')),
    assistant({ type: 'reasoning', text: '', opaque: opaque(data) }, text('a')),
  ]);
  expect(sent[1]?.summary).toEqual([{ type: 'summary_text', text: 'cut \ufffd' }]);
});
