import { expect, test } from 'vitest';
import type { ModelEvent } from '../../../../extension/core/ports/model.ts';
import { StreamReader, type WireEvent } from '../../../../extension/core/providers/anthropic/from-stream.ts';
import { collected } from '../../../../extension/core/providers/wire/exchange.ts';
import { MODEL } from './support.ts';

type Fields = Readonly<Record<string, unknown>>;

const block = (index: number, start: Fields, ...deltas: Fields[]): WireEvent[] => [
  { type: 'content_block_start', index, content_block: start },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const text = (index: number, value: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: value });
const call = (index: number, ...json: string[]) =>
  block(
    index,
    { type: 'tool_use', id: `t${index}`, name: `tool${index}`, input: {} },
    ...json.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  );
const end = (stop_reason: string | null): WireEvent[] => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

function read(...events: WireEvent[][]): readonly ModelEvent[] {
  const reader = new StreamReader(MODEL);
  return collected((give) => {
    for (const event of events.flat()) reader.read(event, give);
  });
}

/** The whole blocks and the end, in short. */
function summary(...events: WireEvent[][]): string[] {
  return read(...events).flatMap((event) => {
    if (event.type === 'text' || event.type === 'reasoning') return [event.text];
    if (event.type === 'tool_call') return [`${event.name}${event.invalid ? ' invalid' : ''}`];
    if (event.type === 'provider_block') return ['opaque'];
    return event.type === 'done' ? [`${event.stop}${event.cutCall ? ` in ${event.cutCall}` : ''}`] : [];
  });
}

test('A block behind a call in doubt waits with it, so that the order stays', () => {
  expect(summary(call(0), text(1, 'a'), call(2, '{}'), end('tool_use'))).toEqual([
    'tool0',
    'a',
    'tool2',
    'tool_calls',
  ]);
  const reader = new StreamReader(MODEL);
  const before = collected((give) => {
    for (const event of [...call(0), ...text(1, 'a')]) reader.read(event, give);
  });
  expect(before.map(({ type }) => type)).toEqual(['tool_input_delta', 'text_delta']);
});

test('A call that is sure is told at once', () => {
  const reader = new StreamReader(MODEL);
  const events = collected((give) => {
    for (const event of call(0, '{}')) reader.read(event, give);
  });
  expect(events.map(({ type }) => type)).toEqual(['tool_input_delta', 'tool_input_delta', 'tool_call']);
});

test.each([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'context_exceeded'],
])('%s: only the last call can be cut', (reason, stop) => {
  expect(summary(call(0, '{"a'), end(reason))).toEqual([`${stop} in tool0`]);
  expect(summary(call(0), end(reason))).toEqual([`${stop} in tool0`]);
  expect(summary(call(0, '{"a'), call(1, '{"b'), end(reason))).toEqual(['tool0 invalid', `${stop} in tool1`]);
  expect(summary(call(0), call(1, '{}'), end(reason))).toEqual(['tool0', 'tool1', stop]);
  expect(summary(call(0, '{"a'), text(1, 'b'), end(reason))).toEqual(['tool0 invalid', 'b', stop]);
});

test('A refused reply says no more than it had said', () => {
  expect(summary(text(0, 'a'), call(1), end('refusal'))).toEqual(['a', 'refusal']);
});

test.each([
  ['end_turn', ['tool0', 'tool_calls']],
  ['stop_sequence', ['tool0', 'tool_calls']],
  ['something_new', ['tool0', 'tool_calls']],
  ['max_tokens', ['tool0', 'length']],
])('%s with a call', (reason, expected) => {
  expect(summary(call(0, '{}'), end(reason))).toEqual(expected);
});

test.each(['end_turn', 'stop_sequence', 'tool_use', 'something_new'])(
  '%s without a call is the end',
  (reason) => {
    expect(summary(text(0, 'a'), end(reason))).toEqual(['a', 'end']);
  },
);

test('A stop reason holds, whatever comes behind it', () => {
  const later: WireEvent[] = [
    { type: 'message_delta', delta: { stop_reason: null } },
    { type: 'message_stop' },
  ];
  expect(
    summary(text(0, 'a'), [{ type: 'message_delta', delta: { stop_reason: 'max_tokens' } }], later),
  ).toEqual(['a', 'length']);
});

test('Nothing comes behind the end', () => {
  expect(summary(text(0, 'a'), end('end_turn'), text(1, 'b'), end('end_turn'))).toEqual(['a', 'end']);
});

test('Blank text is not told', () => {
  expect(summary(text(0, ' \n'), text(1, 'a'), end('end_turn'))).toEqual(['a', 'end']);
});

test('Bytes of arguments are counted as they come', () => {
  const bytes = read(call(0, '{"a":', '"ü😀"}')).flatMap((event) =>
    event.type === 'tool_input_delta' ? [event.bytes] : [],
  );
  expect(bytes).toEqual([0, 5, 14]);
});

test('Blocks that come whole in their start event are read too', () => {
  const whole = [
    block(0, { type: 'thinking', thinking: 'hm', signature: 'Eq' }),
    block(1, { type: 'text', text: 'a' }),
    block(2, { type: 'tool_use', id: 't', name: 'tool', input: { path: 'b' } }),
  ];
  const events = read(...whole, end('tool_use'));
  expect(events.filter(({ type }) => type.endsWith('_delta')).map(({ type }) => type)).toEqual([
    'reasoning_delta',
    'text_delta',
    'tool_input_delta',
  ]);
  expect(events).toContainEqual({ type: 'tool_call', id: 't', name: 'tool', input: { path: 'b' } });
  expect(events).toContainEqual(expect.objectContaining({ type: 'reasoning', text: 'hm' }));
});

test('Signed thinking is kept as the API gave it, with all its fields in their order', () => {
  const start = { type: 'thinking', thinking: '', signature: '', later_field: 1 };
  const events = read(block(0, start, { type: 'signature_delta', signature: 'Eq' }));
  expect(JSON.stringify(events)).toBe(
    JSON.stringify([
      {
        type: 'reasoning',
        text: '',
        opaque: {
          provider: 'anthropic',
          model: MODEL,
          data: { type: 'thinking', thinking: '', signature: 'Eq', later_field: 1 },
        },
      },
    ]),
  );
});

test('Unsigned thinking is only for the reader', () => {
  const start = { type: 'thinking', thinking: '', signature: '' };
  expect(read(block(0, start, { type: 'thinking_delta', thinking: 'hm' }))).toContainEqual({
    type: 'reasoning',
    text: 'hm',
  });
  expect(read(block(0, start))).toEqual([]);
});

test('A block that is not known is given on whole, or not at all', () => {
  const start = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
  const whole = read(block(0, start, { type: 'input_json_delta', partial_json: '{"q":1}' }));
  expect(whole).toEqual([
    {
      type: 'provider_block',
      opaque: { provider: 'anthropic', model: MODEL, data: { ...start, input: { q: 1 } } },
    },
  ]);
  expect(read(block(0, start, { type: 'input_json_delta', partial_json: '{"q":' }))).toEqual([]);
});

test('Citations do not get into the text', () => {
  const citation = { type: 'citations_delta', citation: { cited_text: 'x' } };
  expect(summary(block(0, { type: 'text', text: 'a' }, citation), end('end_turn'))).toEqual(['a', 'end']);
});

test.each([
  [
    'a delta of another block',
    [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: {} },
    ],
  ],
  ['a delta of no block', [{ type: 'content_block_delta', index: 0, delta: {} }]],
  [
    'an end inside a block',
    [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...end('end_turn'),
    ],
  ],
  ['an end without a reason', end(null)],
])('%s is damage', (_what, events) => {
  expect(() => read(events)).toThrow();
});

test('Tokens are told once, the last number of each kind; an hour in the cache has its price', () => {
  const events = read(
    [
      {
        type: 'message_start',
        message: {
          usage: {
            input_tokens: 1,
            output_tokens: 1,
            cache_creation_input_tokens: 100,
            cache_creation: { ephemeral_1h_input_tokens: 100 },
          },
        },
      },
    ],
    [{ type: 'message_delta', delta: {}, usage: { input_tokens: null, output_tokens: 7 } }],
    end('end_turn'),
    [{ type: 'message_delta', delta: {}, usage: { output_tokens: 99 } }],
  );
  expect(events.filter(({ type }) => type === 'usage')).toEqual([
    {
      type: 'usage',
      usage: {
        inputTokens: 101,
        outputTokens: 1,
        cacheReadTokens: 0,
        cacheWriteTokens: 100,
        cost: expect.closeTo((4 + 100 * 8 + 20) / 1e6, 12),
      },
    },
  ]);
});

test('A server that tells no tokens has none made up for it', () => {
  expect(
    read(text(0, 'a'), [
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]),
  ).not.toContainEqual(expect.objectContaining({ type: 'usage' }));
});

test('Tokens of the reply alone are not told as those of an empty prompt', () => {
  expect(read(text(0, 'a'), end('end_turn'))).not.toContainEqual(expect.objectContaining({ type: 'usage' }));
});

test('A call whose name is empty is a call, and no damage of the stream', () => {
  const nameless = block(0, { type: 'tool_use', id: 't0', name: '', input: { path: 'a' } });
  expect(read(nameless, end('tool_use'))).toMatchObject([
    { type: 'tool_input_delta' },
    { type: 'tool_call', id: 't0', name: '', input: { path: 'a' } },
    { type: 'done', stop: 'tool_calls' },
  ]);
});
