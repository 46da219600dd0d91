import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelEvent } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { BusyError } from '../../extension/core/session/session.ts';
import { calls, expectWellFormed, golden, says, scenario } from '../support/scenario.ts';

test('an answer without tools is one request', async () => {
  const { session, settings, deltas, root } = await scenario();
  const model = new ScriptedModel([...says('Hello.')]);
  expect(await session.prompt('Hi', settings(model))).toBe('done');
  expect(deltas.map((delta) => delta.type)).toEqual(['text_delta']);
  expectWellFormed(session.events);
  await expect(golden(session.events, root)).toMatchFileSnapshot('./golden/answer.jsonl');
});

test('a call runs the real tool, and its result is in the next request', async () => {
  const { session, settings, root } = await scenario();
  await writeFile(join(root, 'a.txt'), 'one\ntwo\n');
  const model = new ScriptedModel(calls(1, ['read', { path: 'a.txt' }]), says('Two lines.'));
  expect(await session.prompt('Read it', settings(model))).toBe('done');
  expect(model.turns[1]?.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Read it' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_call', id: 'call_1', name: 'read', input: { path: 'a.txt' } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', id: 'call_1', content: '    1→one\n    2→two', isError: false }],
    },
  ]);
  expectWellFormed(session.events);
  await expect(golden(session.events, root)).toMatchFileSnapshot('./golden/tool-call.jsonl');
});

test('a denied edit changes nothing, is told to the model, and skips the rest', async () => {
  const { session, settings, root, asked } = await scenario({ answer: () => ({ decision: 'deny' }) });
  await writeFile(join(root, 'a.txt'), 'one\n');
  const model = new ScriptedModel(
    calls(1, ['write', { path: 'a.txt', content: 'two\n' }], ['write', { path: 'b.txt', content: '' }]),
    says('All right.'),
  );
  expect(await session.prompt('Change it', settings(model))).toBe('done');
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('one\n');
  expect(asked).toHaveLength(1);
  expect(session.events.filter((event) => event.type === 'tool_result').map((event) => event.end)).toEqual([
    'denied',
    'skipped',
  ]);
  expectWellFormed(session.events);
  await expect(golden(session.events, root)).toMatchFileSnapshot('./golden/denied.jsonl');
});

test('an allowed edit is on disk, with the decision in the log and in the audit log', async () => {
  const { session, settings, root, ports } = await scenario();
  await writeFile(join(root, 'a.txt'), 'one\n');
  const edit = { path: 'a.txt', operations: [{ op: 'replace', startLine: 1, endLine: 1, content: ['two'] }] };
  const model = new ScriptedModel(calls(1, ['edit', edit]), says('Done.'));
  expect(await session.prompt('Change it', settings(model))).toBe('done');
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('two\n');
  const audit = (await readFile(join(ports.home, 'audit.jsonl'), 'utf8')).trim().split('\n');
  expect(audit).toHaveLength(1);
  expect(JSON.parse(audit[0] ?? '')).toMatchObject({
    tool: 'edit',
    decision: 'allow_once',
    by: 'user',
    risk: 'medium',
  });
  await expect(golden(session.events, root)).toMatchFileSnapshot('./golden/edit.jsonl');
});

test('colours of a command are in the log for people, and never sent to the model', async () => {
  const { session, settings } = await scenario({ mode: 'bypass' });
  const command = "printf '\\033[32mgreen\\033[0m\\n'";
  const model = new ScriptedModel(calls(1, ['bash', { command }]), says('Green.'));
  await session.prompt('Run it', settings(model));
  const result = session.events.find((event) => event.type === 'tool_result');
  expect(result).toMatchObject({
    result: '{"stdout":"green\\n","stderr":"","exitCode":0}',
    shown: { start: '\x1b[32mgreen\x1b[0m\n' },
  });
  expect(JSON.stringify(model.turns[1])).toContain('green');
  expect(JSON.stringify(model.turns[1])).not.toContain('u001b');
});

test('strict order: the first failure skips the calls after it, and every call is answered', async () => {
  const { session, settings } = await scenario();
  const model = new ScriptedModel(
    calls(1, ['read', { path: 'missing' }], ['list_dir', { path: '.' }], ['list_dir', { path: '.' }]),
    says('There is no such file.'),
  );
  await session.prompt('Look', settings(model, { toolOrder: 'strict' }));
  const results = session.events.filter((event) => event.type === 'tool_result');
  expect(results.map((event) => event.isError)).toEqual([true, true, true]);
  expect(results[0]?.result).toContain('file not found');
  expect(results[1]?.result).toContain('skipped: read before it failed');
  expect(results[1]?.end).toBe('skipped');
  expectWellFormed(session.events);
});

test.each([
  ['an unknown tool', 'fly', { path: '.' }, 'unknown tool: fly'],
  ['a tool without a name', '', { path: '.' }, 'unknown tool: (no name); there are read'],
  ['a missing field', 'read', {}, 'path'],
  ['an unknown field', 'read', { path: 'a', depth: 1 }, 'depth'],
  ['a wrong type', 'read', { path: 7 }, 'path'],
])('%s is an error that the model reads', async (_name, tool, input, words) => {
  const { session, settings } = await scenario();
  await session.prompt('Go', settings(new ScriptedModel(calls(1, [tool, input]), says('I see.'))));
  const result = session.events.find((event) => event.type === 'tool_result');
  expect(result).toMatchObject({ isError: true });
  expect(result?.type === 'tool_result' && result.result).toContain(words);
});

test.each<[string, ModelEvent[]]>([
  ['nothing', []],
  ['blank text', [{ type: 'text', text: ' \n' }]],
  ['thinking alone', [{ type: 'reasoning', text: 'hm' }]],
])('a reply of %s is said to the user, with what to do', async (_name, blocks) => {
  const { session, settings } = await scenario();
  const model = new ScriptedModel([...blocks, { type: 'done', stop: 'end' }], says('Here I am.'));
  expect(await session.prompt('Hi', settings(model))).toBe('done');
  const notices = session.events.filter((event) => event.type === 'notice');
  expect(notices.map((notice) => notice.message)).toEqual([
    expect.stringMatching(/^The model returned an empty response\. .*select another model/),
  ]);
  expect(await session.prompt('Again', settings(model))).toBe('done');
  expect(session.events.filter((event) => event.type === 'notice')).toHaveLength(1);
  expectWellFormed(session.events);
});

test('a file whose middle was cut out of the result is not known whole', async () => {
  const { session, settings, root, ports } = await scenario({ readsFirst: true });
  const { workspace } = ports;
  const read = workspace.read.bind(workspace);
  workspace.read = async (path, most) => ({ ...(await read(path, most)), unsaved: true });
  await writeFile(join(root, 'a.txt'), 'line\n'.repeat(60_000));
  await writeFile(join(root, 'b.txt'), 'line\n');
  const rewrite = (path: string) => ['write', { path, content: 'x' }] as const;
  const model = new ScriptedModel(
    calls(1, ['read', { path: 'a.txt' }], ['read', { path: 'b.txt' }], rewrite('b.txt'), rewrite('a.txt')),
    says('I see.'),
  );
  await session.prompt('Rewrite them', settings(model));
  const results = session.events.filter((event) => event.type === 'tool_result');
  expect(results[0]?.result).toContain('characters after these lines are left out');
  expect(results.map((event) => event.isError)).toEqual([false, false, false, true]);
  expect(results[3]?.result).toContain('unsaved changes that you have not seen');
});

test('arguments that are no JSON object are never run', async () => {
  const { session, settings } = await scenario();
  const invalid = {
    type: 'tool_call',
    id: 'call_1',
    name: 'list_dir',
    input: {},
    invalid: 'no JSON object: {"path":',
  } as const;
  await session.prompt(
    'Go',
    settings(new ScriptedModel([invalid, { type: 'done', stop: 'tool_calls' }], says('Sorry.'))),
  );
  expect(session.events.some((event) => event.type === 'tool_started')).toBe(false);
  expect(session.events.find((event) => event.type === 'tool_result')).toMatchObject({ isError: true });
});

test('the turn limit ends the run, and it can go on', async () => {
  const { session, settings } = await scenario();
  const look = (first: number) => calls(first, ['list_dir', { path: '.' }]);
  const model = new ScriptedModel(look(1), look(2), look(3), says('Done.'));
  expect(await session.prompt('Go', settings(model, { maxTurns: 3 }))).toBe('max_turns');
  expect(model.turns).toHaveLength(3);
  expect(await session.continue(settings(model))).toBe('done');
  expectWellFormed(session.events);
});

test('calls beyond the limit of one reply are answered, not run', async () => {
  const { session, settings } = await scenario();
  const wanted = Array.from({ length: 4 }, () => ['list_dir', { path: '.' }] as const);
  await session.prompt(
    'Go',
    settings(new ScriptedModel(calls(1, ...wanted), says('Done.')), { maxToolCallsPerTurn: 2 }),
  );
  expect(session.events.filter((event) => event.type === 'tool_started')).toHaveLength(2);
  expect(session.events.filter((event) => event.type === 'tool_result').map((event) => event.end)).toEqual([
    undefined,
    undefined,
    'skipped',
    'skipped',
  ]);
});

test('a second prompt is refused while a run is on, and the first one is not disturbed', async () => {
  const { session, settings } = await scenario();
  const model = new ScriptedModel(says('One.'), says('Two.'));
  const first = session.prompt('One', settings(model));
  await expect(session.prompt('Two', settings(model))).rejects.toBeInstanceOf(BusyError);
  expect(await first).toBe('done');
  expect(await session.prompt('Two', settings(model))).toBe('done');
});

test('a listener that throws does not end the run, and no listener is fine', async () => {
  const { session, settings, logged } = await scenario();
  session.subscribe({
    onEvents: () => {
      throw new Error('broken listener');
    },
  });
  expect(await session.prompt('Hi', settings(new ScriptedModel(says('Hello.'))))).toBe('done');
  expect(logged.join()).toContain('broken listener');
});

test('a call that is cut at the token limit is not run; the model is told, and after three cuts the user', async () => {
  const { session, settings } = await scenario();
  const cut = [
    { type: 'text', text: 'Writing.' },
    { type: 'done', stop: 'length', cutCall: 'write' },
  ] as const;
  const model = new ScriptedModel(cut, cut, cut);
  expect(await session.prompt('Write', settings(model))).toBe('error');
  expect(model.turns[1]?.messages.at(-1)).toMatchObject({
    role: 'user',
    content: [{ type: 'text', text: expect.stringContaining('cut off') }],
  });
  expect(session.events.some((event) => event.type === 'tool_call')).toBe(false);
  expect(session.events.findLast((event) => event.type === 'error')).toMatchObject({ code: 'max_tokens' });
  expectWellFormed(session.events);
});

test('a pause is answered by the same history with the reply at its end', async () => {
  const { session, settings } = await scenario();
  const block = {
    type: 'provider_block',
    opaque: { provider: 'scripted', model: 'scripted', data: { type: 'server_tool_use' } },
  } as const;
  const model = new ScriptedModel([block, { type: 'done', stop: 'pause' }], says('Found.'));
  expect(await session.prompt('Search', settings(model))).toBe('done');
  expect(model.turns[1]?.messages.at(-1)).toEqual({ role: 'assistant', content: [block] });
});

test('a refusal takes the prompt out of what the model sees next', async () => {
  const { session, settings } = await scenario();
  const model = new ScriptedModel(
    [
      { type: 'text', text: 'Sure, first' },
      { type: 'done', stop: 'refusal' },
    ],
    says('Fine.'),
  );
  expect(await session.prompt('Bad', settings(model))).toBe('error');
  expect(await session.prompt('Good', settings(model))).toBe('done');
  expect(model.turns[1]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Good' }] }]);
  expectWellFormed(session.events);
});

test('a filter that refuses a prompt before the model sees it takes it out too', async () => {
  const { session, settings } = await scenario();
  const error = { kind: 'refusal', message: 'Flagged.', retryable: false } as const;
  const model = new ScriptedModel([{ type: 'error', error }], says('Fine.'));
  expect(await session.prompt('Bad', settings(model))).toBe('error');
  expect(session.events.findLast((event) => event.type === 'error')).toMatchObject({
    code: 'refusal',
    message: expect.stringContaining('leaves this prompt out'),
  });
  expect(await session.prompt('Good', settings(model))).toBe('done');
  expect(model.turns[1]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Good' }] }]);
  expectWellFormed(session.events);
});

test('a provider that throws ends the run with an error in the log, and the session goes on', async () => {
  const { session, settings, logged } = await scenario();
  expect(await session.prompt('Hi', settings(new ScriptedModel()))).toBe('error');
  expect(session.events.findLast((event) => event.type === 'error')).toMatchObject({
    code: 'server',
    message: expect.stringContaining('no reply for request 1'),
  });
  expect(logged.join()).toContain('no reply for request 1');
  expect(await session.prompt('Hi', settings(new ScriptedModel(says('Hello.'))))).toBe('done');
  expectWellFormed(session.events);
});

test('a complete call beside one that is cut is answered, also at the third cut', async () => {
  const { session, settings } = await scenario();
  const cut = [
    { type: 'tool_call', id: 'same', name: 'list_dir', input: { path: '.' } },
    { type: 'done', stop: 'length', cutCall: 'write' },
  ] as const;
  expect(await session.prompt('Write', settings(new ScriptedModel(cut, cut, cut)))).toBe('error');
  expectWellFormed(session.events);
  const ids = session.events.filter((event) => event.type === 'tool_call').map((event) => event.id);
  expect(ids).toEqual(['same', 'same_2', 'same_3']);
});

test('a stop is heard while the key is still looked up', async () => {
  const { session } = await scenario();
  const run = session.prompt('Hi', () => new Promise(() => {}));
  await new Promise(setImmediate);
  session.cancel();
  expect(await run).toBe('cancelled');
  expectWellFormed(session.events);
});
