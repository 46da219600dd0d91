// Tools that some models know from home: who is offered them, and what they do in a session.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel, type ScriptedReply } from '../../extension/core/ports/testing/scripted-model.ts';
import { createCodexProvider } from '../../extension/core/providers/codex/codex-provider.ts';
import { allTools } from '../../extension/core/tools/all-tools.ts';
import { calls, expectWellFormed, says, scenario } from '../support/scenario.ts';

const PATCH = [
  '*** Begin Patch',
  '*** Update File: a.txt',
  '-a',
  '+A',
  '*** Delete File: b.txt',
  '*** End Patch',
].join('\n');

const UPDATE = ['*** Begin Patch', '*** Update File: a.txt', '-a', '+A', '*** End Patch'].join('\n');

const PLAN = { plan: [{ step: 'Fix', status: 'in_progress' }] };

/** A model of a provider that names both tools, as that of Codex does. */
function codex(...replies: readonly ScriptedReply[]): ScriptedModel {
  const model = new ScriptedModel(...replies);
  model.tools = ['apply_patch', 'update_plan'];
  return model;
}

test('only models that know them are offered them', async () => {
  const { session, settings } = await scenario({ readsFirst: true });
  const names = async (model: ScriptedModel) => {
    await session.prompt('Go', settings(model));
    return model.turns[0]?.tools.map(({ name }) => name);
  };
  const common = allTools
    .filter(({ onDemand, needsLanguageServers }) => !onDemand && !needsLanguageServers)
    .map(({ name }) => name);
  expect(await names(new ScriptedModel(says('Hi.')))).toEqual(common);
  const model = codex(says('Hi.'));
  const withoutEdits = allTools
    .filter(({ name, needsLanguageServers }) => !needsLanguageServers && !/^(edit|write)$/.test(name))
    .map(({ name }) => name);
  expect(await names(model)).toEqual(withoutEdits);
  expect(model.turns[0]?.tools.find(({ name }) => name === 'apply_patch')?.freeform?.syntax).toBe('lark');
  const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {}, yield: async () => {} };
  expect(createCodexProvider({ apiKey: '', clock }).tools).toEqual(model.tools);
});

test('a model that is not offered them cannot call them', async () => {
  const { session, settings } = await scenario({ mode: 'bypass' });
  const model = new ScriptedModel(calls(1, ['apply_patch', { input: PATCH }]), says('No.'));
  await session.prompt('Go', settings(model));
  const result = session.events.find((event) => event.type === 'tool_result');
  expect(result).toMatchObject({
    isError: true,
    result: expect.stringContaining('unknown tool: apply_patch'),
  });
});

test('each model plans in the form that it knows', async () => {
  const { session, settings } = await scenario();
  const fields = async (model: ScriptedModel) => {
    await session.prompt('Go', settings(model));
    return model.turns[0]?.tools.find(({ name }) => name === 'update_plan')?.inputSchema.required;
  };
  expect(await fields(new ScriptedModel(says('Hi.')))).toEqual(['steps']);
  expect(await fields(codex(says('Hi.')))).toEqual(['plan']);
});

test('a session goes on with a model that is not offered the tools of the one before', async () => {
  const { session, settings, root } = await scenario();
  const first = calls(1, ['write', { path: 'a.txt', content: 'a\n' }]);
  await session.prompt('Go', settings(new ScriptedModel(first, says('Done.'))));
  const model = codex(calls(2, ['apply_patch', { input: UPDATE }]), says('Done.'));
  await session.prompt('On', settings(model));
  expect(JSON.stringify(model.turns[0]?.messages)).toContain('"name":"write"');
  const edits = { path: 'a.txt', old_string: 'A', new_string: 'b' };
  await session.prompt('Back', settings(new ScriptedModel(calls(3, ['edit', edits]), says('Done.'))));
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('b\n');
});

test('a patch waits for a person, who is shown every file; denied, it changes none', async () => {
  const { session, settings, root, asked } = await scenario({ answer: () => ({ decision: 'deny' }) });
  await writeFile(join(root, 'a.txt'), 'a\n');
  await writeFile(join(root, 'b.txt'), 'b\n');
  await session.prompt('Go', settings(codex(calls(1, ['apply_patch', { input: PATCH }]), says('No.'))));
  const paths = [join(root, 'a.txt'), join(root, 'b.txt')];
  expect(asked).toMatchObject([
    {
      tool: 'apply_patch',
      action: {
        title: 'Apply a patch to 2 files?',
        detail: `M ${paths[0]}\nD ${paths[1]}`,
        warnings: [`Deletes ${paths[1]}`],
        added: 1,
        removed: 2,
      },
      previews: [
        { path: paths[0], before: 'a\n', after: 'A\n' },
        { path: paths[1], before: 'b\n', after: null },
      ],
    },
  ]);
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a\n');
  expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('b\n');
});

test('allowed, a patch is done, and its lines are counted', async () => {
  const { session, settings, root } = await scenario();
  await writeFile(join(root, 'a.txt'), 'a\n');
  await writeFile(join(root, 'b.txt'), 'b\n');
  await session.prompt('Go', settings(codex(calls(1, ['apply_patch', { input: PATCH }]), says('Done.'))));
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('A\n');
  expect(session.events.find((event) => event.type === 'tool_result')).toMatchObject({
    isError: false,
    added: 1,
    removed: 2,
    result: '{"content":"Success. Updated the following files:\\nM a.txt\\nD b.txt\\n"}',
    seen: { [join(root, 'b.txt')]: 'absent' },
  });
  expectWellFormed(session.events);
});

test('what the person has not seen is not done: a file that changes while they are asked', async () => {
  const { session, settings, root } = await scenario({
    answer: async () => {
      await writeFile(join(root, 'b.txt'), 'mine\n');
      return { decision: 'allow_once' };
    },
  });
  await writeFile(join(root, 'a.txt'), 'a\n');
  await writeFile(join(root, 'b.txt'), 'b\n');
  await session.prompt('Go', settings(codex(calls(1, ['apply_patch', { input: PATCH }]), says('No.'))));
  expect(session.events.find((event) => event.type === 'tool_result')).toMatchObject({
    isError: true,
    result: expect.stringContaining('has changed since it was approved'),
  });
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a\n');
});

test('a patch without its end is told to the model, and nothing is written', async () => {
  const { session, settings, root, asked } = await scenario();
  await writeFile(join(root, 'a.txt'), 'a\n');
  const input = '*** Begin Patch\n*** Update File: a.txt\n-a\n+b';
  await session.prompt('Go', settings(codex(calls(1, ['apply_patch', { input }]), says('No.'))));
  expect(asked).toEqual([]);
  expect(session.events.find((event) => event.type === 'tool_result')).toMatchObject({
    isError: true,
    result: expect.stringContaining("the last line must be '*** End Patch'"),
  });
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a\n');
});

test.each(['ask', 'plan'] as const)('a plan is shown and asks nobody, in the mode %s too', async (mode) => {
  const { session, settings, asked } = await scenario({ mode });
  await session.prompt('Go', settings(codex(calls(1, ['update_plan', PLAN]), says('Done.'))));
  expect(asked).toEqual([]);
  const told = session.events.filter(({ type }) => ['plan', 'permission', 'tool_result'].includes(type));
  expect(told).toMatchObject([
    { type: 'permission', decision: 'allow_once', by: 'mode', rule: 'no side effects' },
    { type: 'plan', steps: [{ title: 'Fix', status: 'in_progress' }] },
    { type: 'tool_result', isError: false, result: '{"content":"Plan updated"}' },
  ]);
  expectWellFormed(session.events);
});
