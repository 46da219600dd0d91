// The fake refuses what the real API refuses; else a test with it would prove nothing.
import { expect, onTestFinished, test } from 'vitest';
import {
  type Conversation,
  type MessagesRequest,
  violationOf,
} from '../../../../scripts/lib/claude/anthropic-rules.ts';
import { playScript } from '../../../../scripts/lib/claude/fake-anthropic.ts';

const text = (value: string) => ({ type: 'text', text: value });
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const call = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'read', input });
const result = (id: string, more = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'r', ...more });
const thought = { type: 'thinking', thinking: '', signature: 'Eq1' };
const mark = { cache_control: { type: 'ephemeral' } };
const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const tool = { name: 'read', input_schema: { type: 'object' } };

const NEW: Conversation = { paused: false, signed: new Map() };

function request(...messages: unknown[]): Record<string, unknown> {
  return { model: 'claude-opus-5-5', max_tokens: 10, stream: true, tools: [tool], messages };
}

const good: [what: string, body: object][] = [
  ['a question', request(user(text('a')))],
  [
    'calls and results',
    request(
      user(text('a')),
      assistant(text('b'), call('1'), call('2')),
      user(result('2'), result('1'), text('c')),
    ),
  ],
  [
    'four marks',
    request(
      user(
        { ...text('a'), ...hour },
        { ...text('a'), ...hour },
        { ...text('b'), ...mark },
        { ...text('c'), ...mark },
      ),
    ),
  ],
  ['text that speaks of surrogates', request(user(text('\\ud83d and 😀')))],
];

test.each(good)('%s is fine', (_what, body) => {
  expect(violationOf(JSON.stringify(body), NEW)).toBeUndefined();
});

const bad: [what: string, body: object, message: string][] = [
  ['no messages', request(), 'messages: at least one'],
  ['an unknown field', { ...request(user(text('a'))), temperature: 1 }, 'temperature: Extra inputs'],
  ['too many tokens', { ...request(user(text('a'))), max_tokens: 200_000 }, 'max_tokens'],
  ['an empty system prompt', { ...request(user(text('a'))), system: [text('')] }, 'non-empty'],
  ['two user messages', request(user(text('a')), user(text('b'))), 'alternate'],
  ['an assistant first', request(assistant(text('a'))), 'alternate'],
  ['an assistant last', request(user(text('a')), assistant(text('b'))), 'prefill'],
  ['an empty message', request(user()), 'non-empty content'],
  ['empty text', request(user(text(''))), 'must be non-empty'],
  ['blank text', request(user(text(' \n'))), 'non-whitespace'],
  [
    'a call without result',
    request(user(text('a')), assistant(call('1')), user(text('b'))),
    'without `tool_result`',
  ],
  ['a result without call', request(user(result('1'))), 'unexpected `tool_use_id`'],
  [
    'two results',
    request(user(text('a')), assistant(call('1')), user(result('1'), result('1'))),
    'single result',
  ],
  [
    'text before a result',
    request(user(text('a')), assistant(call('1')), user(text('b'), result('1'))),
    'come first',
  ],
  [
    'an id used twice',
    request(
      user(text('a')),
      assistant(call('1')),
      user(result('1')),
      assistant(call('1')),
      user(result('1')),
    ),
    'must be unique',
  ],
  [
    'calls without tools',
    { ...request(user(text('a')), assistant(call('1')), user(result('1'))), tools: [] },
    'must define tools',
  ],
  [
    'an error without words',
    request(user(text('a')), assistant(call('1')), user(result('1', { is_error: true, content: '' }))),
    'cannot be empty',
  ],
  [
    'arguments as text',
    request(user(text('a')), assistant(call('1', '{}')), user(result('1'))),
    'valid dictionary',
  ],
  ['a call in a user message', request(user(call('1'))), 'not allowed for role user'],
  ['a bad tool name', { ...request(user(text('a'))), tools: [{ ...tool, name: 'a b' }] }, 'tools.0.name'],
  ['one tool twice', { ...request(user(text('a'))), tools: [tool, tool] }, 'unique'],
  [
    'a schema of nothing',
    { ...request(user(text('a'))), tools: [{ name: 'read', input_schema: {} }] },
    'input_schema',
  ],
  [
    'a choice of schemas',
    { ...request(user(text('a'))), tools: [{ ...tool, input_schema: { type: 'object', anyOf: [] } }] },
    'anyOf',
  ],
  [
    'five marks',
    request(user(...Array.from('abcde', (value) => ({ ...text(value), ...mark })))),
    'maximum of 4',
  ],
  [
    'an hour after five minutes',
    request(user({ ...text('a'), ...mark }, { ...text('b'), ...hour })),
    '1h must not come after 5m',
  ],
  [
    'a mark on thinking',
    request(user(text('a')), assistant({ ...thought, ...mark }, text('b')), user(text('c'))),
    'thinking blocks',
  ],
  [
    'thinking at the end',
    request(user(text('a')), assistant(text('b'), thought), user(text('c'))),
    'cannot be `thinking`',
  ],
  [
    'thinking of nobody',
    request(user(text('a')), assistant(thought, text('b')), user(text('c'))),
    'Invalid `signature`',
  ],
  ['half a character', request(user(text('\ud83d'))), 'low surrogate'],
  [
    'no thinking where it is always on',
    { ...request(user(text('a'))), thinking: { type: 'disabled' } },
    'disabled',
  ],
  ['a budget', { ...request(user(text('a'))), thinking: { type: 'enabled' } }, 'enabled'],
  [
    'adaptive too early',
    { ...request(user(text('a'))), model: 'claude-haiku-4-5', thinking: { type: 'adaptive' } },
    'adaptive',
  ],
  ['a forced tool', { ...request(user(text('a'))), tool_choice: { type: 'any' } }, 'forced'],
];

test.each(bad)('%s is refused', (_what, body, message) => {
  expect(violationOf(JSON.stringify(body), NEW)).toContain(message);
});

// The helpers build requests that are wrong on purpose; as types they are all the same.
const asked = (...messages: unknown[]) => request(...messages) as unknown as MessagesRequest;
const signed = new Map([['Eq1', { json: JSON.stringify(thought), request: asked(user(text('a'))) }]]);
const answered = [assistant(thought, text('b')), user(text('c'))];

test('Signed thinking comes back unchanged, behind what it was signed for', () => {
  const violation = (...messages: unknown[]) =>
    violationOf(JSON.stringify(asked(...messages)), { paused: false, signed });
  expect(violation(user(text('a')), ...answered)).toBeUndefined();
  expect(violation(user({ ...text('a'), ...mark }), ...answered)).toBeUndefined();
  expect(violation(user(text('A')), ...answered)).toContain('bound to a different conversation');
  expect(
    violation(user(text('a')), assistant({ ...thought, thinking: '!' }, text('b')), user(text('c'))),
  ).toContain('Invalid `signature`');
  expect(
    violationOf(JSON.stringify({ ...asked(user(text('a')), ...answered), tools: [] }), {
      paused: false,
      signed,
    }),
  ).toContain('bound to a different conversation');
});

test('A later request begins like the last one', () => {
  const last = asked(user(text('a')));
  const violation = (body: object) => violationOf(JSON.stringify(body), { ...NEW, last });
  expect(violation(asked(user(text('a')), assistant(text('b')), user(text('c'))))).toBeUndefined();
  expect(violation(asked(user(text('A'))))).toContain('does not begin like its last request');
  expect(violation({ ...last, system: 'new' })).toContain('does not begin like its last request');
});

test('An assistant may be last after a pause', () => {
  const body = JSON.stringify(request(user(text('a')), assistant(text('b'))));
  expect(violationOf(body, { ...NEW, paused: true })).toBeUndefined();
});

test('The script is not asked for what is refused', async () => {
  let count = 0;
  const server = await playScript(() => {
    count++;
    return { blocks: [{ type: 'text', text: 'ok' }] };
  });
  onTestFinished(() => server.close());
  const post = (body: object) =>
    fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'k' },
      body: JSON.stringify(body),
    });
  const refused = await post(request(user(text(''))));
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  expect((await post(request(user(text('a'))))).status).toBe(200);
  expect(count).toBe(1);
  expect(server.violations).toHaveLength(1);
  expect(server.requests).toHaveLength(2);
});
