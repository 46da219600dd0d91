import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelErrorKind, ModelEvent } from '../../../../extension/core/ports/model.ts';
import { answering, bytesOf } from '../../../support/wire/fixtures.ts';
import { answered, ask, fixture, fixtures, MODEL } from './support.ts';

const item = (index: number, fields: object) => ({
  type: 'response.output_item.done',
  output_index: index,
  item: fields,
});
const begun = (index: number, fields: object) => ({
  ...item(index, fields),
  type: 'response.output_item.added',
});
const delta = (kind: string, index: number, text: string) => ({
  type: `response.${kind}.delta`,
  output_index: index,
  delta: text,
});
const message = (text: string, more: object = {}) => ({
  type: 'message',
  content: [{ type: 'output_text', text }],
  ...more,
});
const call = (id: string, written: string, more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: written,
  ...more,
});
const patch = (text: string) => ({
  type: 'custom_tool_call',
  call_id: 'p',
  name: 'apply_patch',
  input: text,
});
const usage = { input_tokens: 10, output_tokens: 4 };
const completed = (more: object = {}) => ({
  type: 'response.completed',
  response: { status: 'completed', output: [], usage, ...more },
});
const incomplete = (reason: string) => ({
  type: 'response.incomplete',
  response: { status: 'incomplete', incomplete_details: { reason }, usage },
});

function types(events: readonly ModelEvent[]): string[] {
  return events.map((event) =>
    event.type === 'text' || event.type === 'text_delta' ? event.text : event.type,
  );
}

test('Items that grow side by side are given one after the other, as the output has them', async () => {
  const events = await answered(
    begun(0, { type: 'message' }),
    begun(1, { type: 'message' }),
    delta('output_text', 1, 'second'),
    delta('output_text', 0, 'fir'),
    item(1, message('second')),
    delta('output_text', 0, 'st'),
    item(0, message('first')),
    completed(),
  );
  expect(types(events)).toEqual(['fir', 'st', 'first', 'second', 'second', 'usage', 'done']);
});

test('The end of an item is the truth, whatever came before it', async () => {
  const events = await answered(item(0, message('whole')), completed());
  expect(types(events)).toEqual(['whole', 'usage', 'done']);
});

test('What a gateway has in the whole alone is taken from there', async () => {
  const output = [message('said', { id: 'm' }), call('c', '{"a":1}')];
  const events = await answered(
    begun(0, { type: 'message' }),
    delta('output_text', 0, 'said'),
    completed({ output }),
  );
  expect(types(events)).toEqual(['said', 'said', 'tool_call', 'usage', 'done']);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'tool_calls' });
});

test('What came already is not taken from the whole once more', async () => {
  const said = message('said', { id: 'm' });
  const events = await answered(item(1, said), completed({ output: [said] }));
  expect(types(events)).toEqual(['said', 'usage', 'done']);
});

test('A call without arguments has none, and one with others than an object says so', async () => {
  const events = await answered(item(0, call('a', '')), item(1, call('b', '[1]')), completed());
  expect(events.slice(0, 2)).toEqual([
    { type: 'tool_call', id: 'a', name: 'read', input: {} },
    { type: 'tool_call', id: 'b', name: 'read', input: {}, invalid: expect.stringContaining('JSON object') },
  ]);
});

test('A call tells how much of it has come', async () => {
  const events = await answered(
    begun(0, call('a', '')),
    delta('function_call_arguments', 0, '{"ü'),
    item(0, call('a', '{"ü":1}')),
    completed(),
  );
  expect(events.slice(0, 2)).toEqual([
    { type: 'tool_input_delta', id: 'a', name: 'read', bytes: 0 },
    { type: 'tool_input_delta', id: 'a', name: 'read', bytes: 4 },
  ]);
});

const cuts: [what: string, ...events: object[]][] = [
  ['that did not end', begun(0, call('a', '')), delta('function_call_arguments', 0, '{"pa')],
  ['that ended in the middle', item(0, call('a', '{"pa'))],
  ['that says so', item(0, call('a', '{}', { status: 'incomplete' }))],
  ['without arguments', item(0, call('a', ''))],
];

test.each(cuts)('A call %s at the limit is named and not given', async (_what, ...events) => {
  const [last, ...others] = (await answered(...events, incomplete('max_output_tokens'))).reverse();
  expect(last).toEqual({ type: 'done', stop: 'length', cutCall: 'read' });
  expect(others.filter(({ type }) => type === 'tool_call')).toEqual([]);
});

test('A patch at the limit is not given, since its end cannot be seen', async () => {
  const events = await answered(item(0, patch('*** Begin Patch')), incomplete('max_output_tokens'));
  expect(types(events)).toEqual(['usage', 'done']);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'length', cutCall: 'apply_patch' });
});

test('Calls before the cut are given', async () => {
  const events = await answered(
    item(0, call('a', '{"x":1}')),
    item(1, patch('p')),
    begun(2, { type: 'message' }),
    delta('output_text', 2, 'And'),
    incomplete('max_output_tokens'),
  );
  expect(types(events)).toEqual(['tool_call', 'tool_call', 'And', 'And', 'usage', 'done']);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'length' });
});

test('A refused reply gives no call that was not given yet', async () => {
  const events = await answered(item(0, patch('p')), incomplete('content_filter'));
  expect(types(events)).toEqual(['usage', 'done']);
  expect(events.at(-1)).toEqual({ type: 'done', stop: 'refusal' });
});

test('Thinking without a summary may show itself; its ids and all are kept', async () => {
  const thought = {
    type: 'reasoning',
    id: 'rs',
    summary: [],
    content: [{ type: 'reasoning_text', text: 'Hm.' }],
  };
  const [shown, block] = await answered(delta('reasoning_text', 0, 'Hm.'), item(0, thought), completed());
  expect(shown).toEqual({ type: 'reasoning_delta', text: 'Hm.' });
  expect(block).toEqual({
    type: 'reasoning',
    text: 'Hm.',
    opaque: { provider: 'codex', model: MODEL, data: thought },
  });
});

test('Parts of a summary are told apart as they come', async () => {
  const bytes = bytesOf(fixture('R02'));
  const exchange = { status: 200, headers: {}, close: 'end' } as const;
  const events = await ask({ fetch: answering(exchange, bytes) });
  const shown = events.flatMap((event) => (event.type === 'reasoning_delta' ? [event.text] : [])).join('');
  expect(events).toContainEqual(expect.objectContaining({ type: 'reasoning', text: shown }));
});

test('All tokens are counted, and what they cost', async () => {
  const told = {
    input_tokens: 1000,
    input_tokens_details: { cached_tokens: 600, cache_write_tokens: 100 },
    output_tokens: 50,
    output_tokens_details: { reasoning_tokens: 30 },
  };
  const [event] = await answered(completed({ usage: told }));
  expect(event).toEqual({
    type: 'usage',
    usage: {
      inputTokens: 1000,
      outputTokens: 50,
      cacheReadTokens: 600,
      cacheWriteTokens: 100,
      reasoningTokens: 30,
      cost: expect.closeTo((300 * 4 + 100 * 5 + 600 * 0.4 + 50 * 20) / 1e6, 12),
    },
  });
});

const failures: [what: string, error: object, kind: ModelErrorKind, retryable: boolean][] = [
  ['a limit', { code: 'rate_limit_exceeded', message: 'Please try again in 11.5s.' }, 'rate_limit', true],
  ['an empty account', { code: 'insufficient_quota', message: 'You exceeded it.' }, 'billing', false],
  ['an internal error', { code: 'server_error', message: 'Oops' }, 'server', true],
  ['encryption', { code: 'invalid_encrypted_content', message: 'It could not be verified.' }, 'server', true],
  ['nothing said', {}, 'server', true],
];

test.each(failures)('A response that failed with %s', async (_what, error, kind, retryable) => {
  const response = { status: 'failed', error, usage };
  const events = await answered({ type: 'response.failed', response });
  expect(events).toMatchObject([{ type: 'usage' }, { type: 'error', error: { kind, retryable } }]);
  if (kind === 'rate_limit') expect(events.at(-1)).toMatchObject({ error: { retryAfterMs: 11_500 } });
});

const damaged: [what: string, ...events: unknown[]][] = [
  ['an item that never ended', begun(0, { type: 'message' }), completed()],
  ['an item that is none', item(0, []), completed()],
  ['a piece without its place', { type: 'response.output_text.delta', delta: 'a' }, completed()],
  ['a call without a name', item(0, { type: 'function_call', call_id: 'a', arguments: '{}' }), completed()],
  ['a call without an id', item(0, { type: 'function_call', name: 'a', arguments: '{}' }), completed()],
  ['an end without a response', { type: 'response.completed' }],
  ['null for an event', null],
  ['no end', item(0, message('a'))],
];

test.each(damaged)('%s: the reply is incomplete, and no call is made', async (_what, ...events) => {
  const given = await answered(...events.map((event) => event as object));
  expect(given.filter(({ type }) => type === 'tool_call' || type === 'done')).toEqual([]);
  expect(given.at(-1)).toMatchObject({
    type: 'error',
    error: { kind: 'stream_incomplete', retryable: true },
  });
});

test('However events are lost, doubled or swapped, there is one end and no exception', async () => {
  const scripts = fixtures.filter(({ chunks, status }) => status === 200 && chunks.length > 1);
  const disorder = fc.record({
    given: fc.constantFrom(...scripts),
    kind: fc.constantFrom('lose', 'double', 'swap'),
    places: fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(disorder, async ({ given, kind, places }) => {
      const list = bytesOf(given);
      for (const place of places) disturb(list, kind, place % Math.max(1, list.length));
      const result = await ask({ fetch: answering({ status: 200, headers: {}, close: 'end' }, list) });
      const ends = result.filter(({ type }) => type === 'done' || type === 'error');
      expect(ends).toEqual([result.at(-1)]);
    }),
    { numRuns: 300 },
  );
});

function disturb(list: Uint8Array[], kind: string, at: number): void {
  const [bytes] = list.splice(at, 1);
  if (!bytes) return;
  if (kind === 'double') list.splice(at, 0, bytes, bytes);
  if (kind === 'swap') list.splice(at + 1, 0, bytes);
}
