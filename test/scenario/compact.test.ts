import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ModelEvent, ModelProvider } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { createAnthropicProvider } from '../../extension/core/providers/anthropic/anthropic-provider.ts';
import { createDemoProvider } from '../../extension/core/providers/demo/demo-provider.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { playScript } from '../../scripts/lib/claude/fake-anthropic.ts';
import { calls, expectWellFormed, golden, says, scenario } from '../support/scenario.ts';
import { until } from '../support/until.ts';

const usage = { inputTokens: 9, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0.5 };
const summary: ModelEvent[] = [
  { type: 'reasoning', text: 'hm' },
  { type: 'usage', usage },
  ...says('We looked. '),
];

async function talked() {
  const made = await scenario();
  await writeFile(join(made.root, 'a.txt'), 'one\ntwo\n');
  const model = new ScriptedModel(calls(1, ['read', { path: 'a.txt' }]), says('Two lines.'));
  await made.session.prompt('Read it', made.settings(model));
  return made;
}

test('a summary by the model stands for the conversation in later requests, and the log stays whole', async () => {
  const { session, openLog, settings, store, root, deltas } = await talked();
  const before = session.events.length;
  const shown = deltas.length;
  const model = new ScriptedModel(summary, says('Yes.'));
  expect(await session.compact(settings(model))).toBe('done');
  expect(deltas, 'nothing of it is shown as an answer').toHaveLength(shown);
  expect(model.turns[0]).toMatchObject({ tools: [], messages: [{ role: 'user' }] });
  expect(model.turns[0]?.system).toContain('summary');
  const [asked] = model.turns[0]?.messages[0]?.content ?? [];
  expect(asked).toMatchObject({
    type: 'text',
    text: expect.stringMatching(
      /^User: Read it\n\nCall: read .*a\.txt.*\n\nResult: .*one\n.*\n\nAssistant: Two lines\.$/,
    ),
  });
  expect(session.events.find((event) => event.type === 'compaction')).toMatchObject({
    summary: 'We looked.',
    through: before,
  });
  expect(session.events.findLast((event) => event.type === 'usage')).toMatchObject(usage);
  expectWellFormed(session.events);
  await expect(golden(session.events.slice(before), root)).toMatchFileSnapshot('./golden/compaction.jsonl');
  await session.prompt('And now?', settings(model));
  const messages = model.turns[1]?.messages ?? [];
  expect(messages).toHaveLength(2);
  expect(messages[0]?.content[0]).toMatchObject({ text: expect.stringContaining('We looked.') });
  await session.close();
  const reopened = await openLog(await store.open(session.id));
  const next = new ScriptedModel(says('Still here.'));
  await reopened.prompt('And then?', settings(next));
  expect(next.turns[0]?.messages.slice(0, 2)).toEqual(messages);
  await reopened.close();
});

test('no request of it or after it is one that the API refuses', async () => {
  const server = await playScript((request) => ({
    blocks: [request.tools ? { type: 'text', text: 'Yes.' } : { type: 'text', text: 'A summary.' }],
  }));
  onTestFinished(() => server.close());
  const { session, settings } = await talked();
  const provider = createAnthropicProvider({ apiKey: 'k', clock: systemClock, baseUrl: server.url });
  const run = settings(provider, { model: 'claude-opus-5-5' });
  expect(await session.compact(run)).toBe('done');
  expect(await session.prompt('Go on', run)).toBe('done');
  expect(await session.compact(run)).toBe('done');
  expect(await session.prompt('Go on', run)).toBe('done');
  expect(server.violations).toEqual([]);
  expect(session.events.filter((event) => event.type === 'compaction')).toHaveLength(2);
});

test('there must be something to compact, and no run', async () => {
  const { session, settings } = await scenario();
  const empty = session.compact(settings(new ScriptedModel()));
  await expect(empty).rejects.toThrow('There is nothing to compact yet.');
  const model = new ScriptedModel(function* (): Iterable<ModelEvent> {
    refused = expect(session.compact(settings(model))).rejects.toThrow('A run is active');
    yield* says('Hello.');
  }, summary);
  let refused: Promise<unknown> | undefined;
  await session.prompt('Hi', settings(model));
  await refused;
  await session.compact(settings(model));
  await expect(session.compact(settings(model))).rejects.toThrow('There is nothing to compact yet.');
});

test.each<[string, ModelEvent[], RegExp]>([
  [
    'an error',
    [{ type: 'error', error: { kind: 'auth', message: 'No key.', retryable: false } }],
    /No key\./,
  ],
  ['a refusal', [{ type: 'done', stop: 'refusal' }], /declined/],
  ['nothing', [{ type: 'done', stop: 'end' }], /incomplete summary/],
  ['half a summary', says('We', 'length'), /incomplete summary/],
  ['a call', calls(7, ['bash', { command: 'rm -rf .' }]), /incomplete summary/],
])('after %s the conversation is as it was, and the reason is told', async (_name, reply, reason) => {
  const { session, settings } = await talked();
  expect(await session.compact(settings(new ScriptedModel(reply)))).toBe('error');
  const error = session.events.findLast((event) => event.type === 'error');
  expect(error).toMatchObject({
    retryable: false,
    message: expect.stringMatching(/^The conversation was not/),
  });
  expect(error?.message).toMatch(reason);
  expectWellFormed(session.events);
  const next = new ScriptedModel(says('Hello.'));
  await session.prompt('Again', settings(next));
  expect(next.turns[0]?.messages).toHaveLength(5);
});

test('a compaction is cancelled like a run, at any event', async () => {
  let reached = true;
  for (let instant = 0; reached; instant++) {
    const { session, settings } = await talked();
    let seen = 0;
    const count = () => {
      if (seen++ === instant) session.cancel();
    };
    const stop = session.subscribe({ onEvents: (events) => events.forEach(count) });
    const reason = await session.compact(settings(new ScriptedModel(summary)));
    stop();
    reached = seen > instant;
    const done = session.events.some((event) => event.type === 'compaction');
    expect(reason === 'done', `cancelled at ${instant}`).toBe(done);
    expectWellFormed(session.events);
    expect(await session.prompt('Again', settings(new ScriptedModel(says('Hello.'))))).toBe('done');
  }
});

test('a request that fails is sent again, in sight', async () => {
  const { session, settings, clock } = await talked();
  const busy: ModelEvent[] = [
    { type: 'text', text: 'half' },
    { type: 'error', error: { kind: 'overloaded', message: 'Busy.', retryable: true } },
  ];
  const run = session.compact(settings(new ScriptedModel(busy, summary)));
  await until(() => clock.sleeping === 1);
  clock.advance(60_000);
  expect(await run).toBe('done');
  expect(session.events.find((event) => event.type === 'compaction')?.summary).toBe('We looked.');
});

test('what the model knew of files is not known after it: an edit has to read again', async () => {
  const { session, settings, ports } = await talked();
  const { workspace } = ports;
  const read = workspace.read.bind(workspace);
  workspace.read = async (path, most) => ({ ...(await read(path, most)), unsaved: true });
  const overwrite = calls(2, ['write', { path: 'a.txt', content: 'x' }]);
  await session.compact(settings(new ScriptedModel(summary)));
  await session.prompt('Overwrite it', settings(new ScriptedModel(overwrite, says('I see.'))));
  expect(session.events.findLast((event) => event.type === 'tool_result')).toMatchObject({
    isError: true,
    result: expect.stringContaining('not seen'),
  });
});

test('the demo lists the prompts and says that no model did it', async () => {
  const { session, settings } = await talked();
  const demo: ModelProvider = createDemoProvider({ clock: systemClock, wordDelayMs: 0 });
  expect(await session.compact(settings(demo))).toBe('done');
  const made = session.events.find((event) => event.type === 'compaction')?.summary;
  expect(made).toContain('- Read it');
  expect(made).toContain('no model');
});
