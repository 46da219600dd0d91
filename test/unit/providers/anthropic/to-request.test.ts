import { expect, test } from 'vitest';
import type { AssistantBlock, Message, ToolSpec, UserBlock } from '../../../../extension/core/ports/model.ts';
import {
  fingerprint,
  toAnthropicRequest,
} from '../../../../extension/core/providers/anthropic/to-request.ts';
import { MODEL, turn, unmarked } from './support.ts';

const user = (...content: UserBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: AssistantBlock[]): Message => ({ role: 'assistant', content });
const text = (value: string) => ({ type: 'text', text: value }) as const;
const call = (id: string, input = {}) => ({ type: 'tool_call', id, name: 'read', input }) as const;
const result = (id: string, isError = false) => ({ type: 'tool_result', id, content: 'r', isError }) as const;
const thought = (signature: string, from: { provider?: string; model?: string } = {}): AssistantBlock => ({
  type: 'reasoning',
  text: '',
  opaque: {
    provider: 'anthropic',
    model: MODEL,
    data: { type: 'thinking', thinking: '', signature },
    ...from,
  },
});
const tool: ToolSpec = {
  name: 'read',
  description: 'Reads.',
  inputSchema: { $schema: 'x', type: 'object', properties: { path: { type: 'string' } }, anyOf: [{}] },
};

function request(...messages: Message[]) {
  return toAnthropicRequest(turn({ messages }), new Set());
}

/** The messages as `role: types`, which is enough to see their order. */
function shape(...messages: Message[]): string[] {
  return request(...messages).messages.map(
    ({ role, content }) =>
      `${role}: ${typeof content === 'string' ? content : content.map(({ type }) => type).join(' ')}`,
  );
}

test('A request as it goes out', () => {
  expect(toAnthropicRequest(turn({ tools: [tool] }), new Set())).toEqual({
    model: MODEL,
    max_tokens: 4096,
    stream: true,
    thinking: { type: 'adaptive', display: 'summarized' },
    system: [{ type: 'text', text: 'Work.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    tools: [
      {
        name: 'read',
        description: 'Reads.',
        input_schema: { type: 'object', properties: { path: { type: 'string' } } },
        cache_control: { type: 'ephemeral', ttl: '1h' },
      },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'q', cache_control: { type: 'ephemeral' } }] },
    ],
  });
});

test('What is empty is left out', () => {
  const sent = toAnthropicRequest(turn({ model: 'claude-haiku-4-5', system: ' ' }), new Set());
  expect(Object.keys(sent)).toEqual(['model', 'max_tokens', 'stream', 'messages']);
});

test('The tools are cached for the hour, whatever the system prompt', () => {
  const { tools } = toAnthropicRequest(turn({ tools: [tool, { ...tool, name: 'write' }] }), new Set());
  expect(tools?.map(({ cache_control }) => cache_control)).toEqual([
    undefined,
    { type: 'ephemeral', ttl: '1h' },
  ]);
});

test('Neighbours of one role become one message, results first', () => {
  expect(
    shape(
      user(text('a')),
      user(text('b')),
      assistant(text('c'), call('1'), call('2')),
      user(result('1'), text('note')),
      user(result('2'), text('more')),
    ),
  ).toEqual([
    'user: text text',
    'assistant: text tool_use tool_use',
    'user: tool_result tool_result text text',
  ]);
});

test('Nothing empty is sent', () => {
  expect(
    shape(
      user(text('a')),
      assistant(text(' \n'), { type: 'reasoning', text: 'unsigned' }),
      user(text(''), text('b')),
      assistant(),
      user(text('  ')),
    ),
  ).toEqual(['user: text text']);
  const [, , results] = request(
    user(text('a')),
    assistant(call('1')),
    user({ ...result('1', true), content: '' }),
  ).messages;
  expect(results?.content).toMatchObject([{ type: 'tool_result', is_error: true, content: '(empty)' }]);
});

test('Thinking stays where it was, but never last', () => {
  expect(
    shape(
      user(text('a')),
      assistant(thought('1'), text('b'), thought('2'), call('1'), thought('3')),
      user(result('1')),
      assistant(thought('4'), thought('5')),
      user(text('c')),
    ),
  ).toEqual(['user: text', 'assistant: thinking text thinking tool_use', 'user: tool_result text']);
});

test('What another model or provider made is left out', () => {
  const foreign = { provider: 'codex', model: MODEL, data: { type: 'reasoning' } };
  const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
  expect(
    shape(
      user(text('a')),
      assistant(
        thought('1', { model: 'claude-opus-5' }),
        thought('2', { provider: 'codex' }),
        { type: 'provider_block', opaque: foreign },
        { type: 'provider_block', opaque: { provider: 'anthropic', model: MODEL, data: search } },
        text('b'),
      ),
      user(text('c')),
    ),
  ).toEqual(['user: text', 'assistant: server_tool_use text', 'user: text']);
});

test('Refused thinking is left out', () => {
  const refused = new Set([fingerprint({ type: 'thinking', thinking: '', signature: '1' })]);
  const messages = [user(text('a')), assistant(thought('1'), thought('2'), text('b')), user(text('c'))];
  const sent = toAnthropicRequest(turn({ messages }), refused);
  expect(JSON.stringify(sent)).not.toContain('"signature":"1"');
  expect(JSON.stringify(sent)).toContain('"signature":"2"');
});

test('A paused reply is sent last, as it came', () => {
  const data = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } };
  const block: AssistantBlock = {
    type: 'provider_block',
    opaque: { provider: 'anthropic', model: MODEL, data },
  };
  const sent = request(user(text('a')), assistant(text('Searching.'), block));
  expect(sent.messages.at(-1)).toEqual({
    role: 'assistant',
    content: [{ type: 'text', text: 'Searching.' }, data],
  });
  // What came after the pause is one message with what came before it.
  expect(shape(user(text('a')), assistant(text('b'), block), assistant(text('c')), user(text('d')))).toEqual([
    'user: text',
    'assistant: text server_tool_use text',
    'user: text',
  ]);
});

test('Four places are marked: tools, system prompt and the newest two user messages', () => {
  const messages = Array.from({ length: 6 }, (_, index) => [
    user(text(`q${index}`), text('more')),
    assistant(thought(`${index}`), call(`${index}`)),
    user(result(`${index}`)),
    assistant(text('a')),
  ]).flat();
  const sent = toAnthropicRequest(
    turn({ messages: [...messages, user(text('last'))], tools: [tool] }),
    new Set(),
  );
  const marks = sent.messages.flatMap(({ content }, at) =>
    typeof content === 'string' ? [] : content.flatMap((block) => ('cache_control' in block ? [at] : [])),
  );
  expect(marks).toEqual([sent.messages.length - 3, sent.messages.length - 1]);
  expect(JSON.stringify(sent).split('"cache_control"').length - 1).toBe(4);
});

test('The marks move on with the history: what a request had marked is sent without its mark later', () => {
  const history = [user(text('a')), assistant(call('1')), user(result('1')), assistant(call('2'))];
  const marks = (...messages: Message[]) =>
    request(...messages).messages.map(({ content }) => JSON.stringify(content).includes('cache_control'));
  expect(marks(...history.slice(0, 3))).toEqual([true, false, true]);
  expect(marks(...history, user(result('2')))).toEqual([false, false, true, false, true]);
});

test('Keys of an input keep their order, halves of characters become whole', () => {
  const input = { zeta: 1, alpha: { y: 'cut \ud83d', x: '\\ud83d' } };
  const sent = toAnthropicRequest(
    turn({
      system: 'S\ud83d',
      messages: [
        user(text('t\ud83d')),
        assistant(call('1', input)),
        user({ type: 'tool_result', id: '1', content: 'r\udc00', isError: false }),
      ],
    }),
    new Set(),
  );
  const json = JSON.stringify(unmarked(sent));
  expect(json).toContain('"input":{"zeta":1,"alpha":{"y":"cut \ufffd","x":"\\\\ud83d"}}');
  expect(json).toContain('"S\ufffd"');
  expect(json).toContain('"t\ufffd"');
  expect(json).toContain('"r\ufffd"');
});

test('An id that the API would not take is replaced, in the call and in its result', () => {
  const sent = request(
    user(text('a')),
    assistant(call('call:1'), call('ok_1')),
    user(result('call:1'), result('ok_1')),
  );
  const [first, second] = sent.messages.slice(1).map(({ content }) => content);
  expect(first).toMatchObject([{ id: expect.stringMatching(/^toolu_[\w-]{43}$/) }, { id: 'ok_1' }]);
  const id = Array.isArray(first) && first[0]?.type === 'tool_use' ? first[0].id : undefined;
  expect(second).toMatchObject([{ tool_use_id: id }, { tool_use_id: 'ok_1' }]);
});

test('A turn is not changed by being sent', () => {
  const messages = [user(text('b'), result('1')), assistant(thought('1'), text('c'))];
  const given = turn({ messages, tools: [tool] });
  const before = JSON.stringify(given);
  toAnthropicRequest(given, new Set());
  expect(JSON.stringify(given)).toBe(before);
});

test('An image goes as base64, before the words, and a missing one is said', () => {
  const image = { type: 'image', name: 'attachments/a.png', mediaType: 'image/png' } as const;
  const sent = request(user({ ...image, data: 'AAAA' }, image, text('What is it?')));
  expect(unmarked(sent).messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'text', text: '(An image was attached here. Its file is missing now.)' },
        { type: 'text', text: 'What is it?' },
      ],
    },
  ]);
});

test('What another model has said behind its calls goes before them', () => {
  const said = assistant(call('a'), text('Meanwhile.'), call('b'));
  expect(shape(user(text('q')), said, user(result('a'), result('b')))).toEqual([
    'user: text',
    'assistant: text tool_use tool_use',
    'user: tool_result tool_result',
  ]);
});

test('Signed thinking with half a character in it is left out: changed it would be refused, and so would it as it is', () => {
  const thinking = { type: 'thinking', thinking: 'cut \ud83d', signature: 'EqQB' };
  const broken = {
    type: 'reasoning',
    text: '',
    opaque: { provider: 'anthropic', model: MODEL, data: thinking },
  } as const;
  expect(shape(user(text('q')), assistant(broken, text('a')), user(text('q')))[1]).toBe('assistant: text');
});
