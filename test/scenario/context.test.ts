// What the model is told beside its prompts, and when it is told again.
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blobHashesIn } from '../../extension/core/checkpoints/blob-names.ts';
import { readPrefix } from '../../extension/core/log/request-prefix.ts';
import type { ContextBlock, Turn } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { createDemoProvider } from '../../extension/core/providers/demo/demo-provider.ts';
import { injectedContextIn } from '../../extension/core/view/injected-context.ts';
import { LogAt } from '../../extension/core/view/log-at.ts';
import { LogWindow } from '../../extension/core/view/log-window.ts';
import { findGit, gitStatusWith } from '../../extension/node/git/git-status.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { calls, expectWellFormed, golden, says, scenario } from '../support/scenario.ts';

const DAY = 86_400_000;

/** In a repository with instructions. */
async function inRepository(options: Parameters<typeof scenario>[0] = {}) {
  const made = await scenario({ tellsContext: true, ...options });
  await mkdir(join(made.root, '.git'));
  await writeFile(join(made.root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(made.root, 'AGENTS.md'), 'Use tabs.\n');
  return made;
}

function blocksOf(turn: Turn | undefined): ContextBlock[] {
  const blocks = turn?.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'context'));
  return (blocks ?? []) as ContextBlock[];
}

/** The kinds told since event `after`. */
function toldSince(events: readonly SessionEvent[], after: number): string[] {
  return events.slice(after).flatMap((event) => (event.type === 'context' ? [event.kind] : []));
}

/** Each request begins with the one before it. */
function expectPrefixes(turns: readonly Turn[]): void {
  for (const [index, turn] of turns.slice(1).entries()) {
    const before = turns[index];
    const shared = JSON.stringify(before?.messages).slice(0, -1);
    expect(JSON.stringify(turn.messages).startsWith(shared), `request ${index + 2}`).toBe(true);
    expect([turn.system, turn.tools]).toEqual([before?.system, before?.tools]);
  }
}

test('with the first prompt everything is told, before what was typed and before the first request', async () => {
  const { session, settings, root } = await inRepository();
  const model = new ScriptedModel(says('Yes.'));
  await session.prompt('Hello', settings(model));
  const [message] = model.turns[0]?.messages ?? [];
  expect(message?.content.map((block) => (block.type === 'context' ? block.kind : block.type))).toEqual([
    'permissions',
    'instructions',
    'environment',
    'files',
    'limits',
    'text',
  ]);
  const instructions = session.events.find((event) => event.type === 'context' && event.sources);
  expect(instructions).toMatchObject({ kind: 'instructions', sources: [join(root, 'AGENTS.md')] });
  expectWellFormed(session.events);
  const written = golden(session.events, root).replace(/bash on \w+|\d{4}-\d\d-\d\d/g, '<it>');
  await expect(written).toMatchFileSnapshot('./golden/context.jsonl');
});

test('only what has changed is told again, and requests go on growing at their end alone', async () => {
  const { session, settings, root, clock, setMode } = await inRepository();
  const model = new ScriptedModel(...['1', '2', '3', '4', '5', '6'].map((text) => says(text)));
  const ask = async (prompt: string) => {
    const before = session.events.length;
    await session.prompt(prompt, settings(model));
    return toldSince(session.events, before);
  };
  expect(await ask('one')).toEqual(['permissions', 'instructions', 'environment', 'files', 'limits']);
  expect(await ask('two')).toEqual([]);
  setMode('plan');
  clock.advance(DAY);
  expect(await ask('three')).toEqual(['permissions', 'collaboration', 'environment']);
  setMode('acceptEdits');
  await writeFile(join(root, 'AGENTS.md'), 'Use spaces.\n');
  expect(await ask('four')).toEqual(['permissions', 'collaboration', 'instructions']);
  await writeFile(join(root, '.git', 'HEAD'), 'ref: refs/heads/other\n');
  await rm(join(root, 'AGENTS.md'));
  expect(await ask('five')).toEqual(['instructions', 'environment', 'files']);
  expect(blocksOf(model.turns[4]).findLast(({ kind }) => kind === 'instructions')?.text).toMatch(
    /^There are no AGENTS\.md instructions any more/,
  );
  expect(await ask('six')).toEqual([]);
  expectPrefixes(model.turns);
});

test('a folder that the session has touched adds its file with the next prompt', async () => {
  const { session, settings, root } = await inRepository();
  await mkdir(join(root, 'api'));
  await writeFile(join(root, 'api', 'AGENTS.md'), 'Only here.');
  await writeFile(join(root, 'api', 'a.ts'), 'x');
  const model = new ScriptedModel(calls(1, ['read', { path: 'api/a.ts' }]), says('1'), says('2'), says('3'));
  await session.prompt('Read it', settings(model));
  expect(JSON.stringify(model.turns[1]?.messages)).not.toContain('Only here.');
  const before = session.events.length;
  await session.prompt('And now?', settings(model));
  expect(toldSince(session.events, before)).toEqual(['instructions']);
  const told = blocksOf(model.turns[2]).at(-1)?.text ?? '';
  expect(told.indexOf('Only here.')).toBeGreaterThan(told.indexOf('Use tabs.'));
  expect(told).toContain(`# AGENTS.md instructions for ${join(root, 'api')}\n\n<INSTRUCTIONS>\nOnly here.`);
  await session.prompt('Still?', settings(model));
  expect(blocksOf(model.turns[3])).toEqual(blocksOf(model.turns[2]));
  expectPrefixes(model.turns);
});

test('after a compaction everything is told again, and the summary is written without it', async () => {
  const { session, settings } = await inRepository();
  const model = new ScriptedModel(says('1'), says('A summary.'), says('2'));
  await session.prompt('one', settings(model));
  await session.compact(settings(model));
  expect(JSON.stringify(model.turns[1]?.messages)).not.toContain('environment_context');
  const before = session.events.length;
  await session.prompt('two', settings(model));
  expect(toldSince(session.events, before)).toEqual([
    'permissions',
    'instructions',
    'environment',
    'files',
    'limits',
  ]);
  expect(blocksOf(model.turns[2])).toEqual(blocksOf(model.turns[0]));
});

test('what went with a refused prompt is told with the next one', async () => {
  const { session, settings } = await inRepository();
  const model = new ScriptedModel(says('', 'refusal'), says('1'));
  await session.prompt('bad', settings(model));
  await session.prompt('good', settings(model));
  expect(blocksOf(model.turns[1])).toEqual(blocksOf(model.turns[0]));
  expect(model.turns[1]?.messages).toHaveLength(1);
});

test('a reopened session knows what it has told, and “Continue” tells what changed meanwhile', async () => {
  const { session, openLog, settings, store, setMode } = await inRepository();
  const model = new ScriptedModel(
    says('1'),
    [{ type: 'error', error: { kind: 'auth', message: 'no', retryable: false } }],
    says('2'),
  );
  await session.prompt('one', settings(model));
  await session.close();
  const reopened = await openLog(await store.open(session.id));
  const before = reopened.events.length;
  await reopened.prompt('two', settings(model));
  expect(toldSince(reopened.events, before)).toEqual([]);
  setMode('bypass');
  await reopened.continue(settings(model));
  expect(toldSince(reopened.events, before)).toEqual(['permissions']);
  expect(model.turns[2]?.messages.at(-1)?.content.map(({ type }) => type)).toEqual(['context', 'text']);
  await reopened.close();
});

test('a fork is told what it did not take over', async () => {
  const { session, openLog, settings, store, root } = await inRepository();
  const model = new ScriptedModel(says('1'), says('2'), says('again'), says('anew'));
  await session.prompt('one', settings(model));
  await session.prompt('two', settings(model));
  await session.close();
  const start = { cwd: root, product: 'test' };
  const prompts = session.events.filter(({ type }) => type === 'user').map(({ seq }) => seq);
  for (const [index, seq] of prompts.entries()) {
    const fork = await openLog(await store.fork(session.id, seq, start));
    await fork.prompt('three', settings(model));
    expect(blocksOf(model.turns[2 + index]), 'each kind is told once').toEqual(blocksOf(model.turns[0]));
    await fork.close();
  }
});

test('without trust nothing of the workspace is told', async () => {
  const { session, settings } = await inRepository({ trusted: false });
  const model = new ScriptedModel(says('1'));
  await session.prompt('one', settings(model));
  const told = JSON.stringify(model.turns[0]?.messages);
  expect(blocksOf(model.turns[0]).map(({ kind }) => kind)).toEqual(['permissions', 'environment', 'limits']);
  expect(told).toContain('every call is refused');
  expect(told).not.toContain('Use tabs.');
  expect(told).not.toContain('git_branch');
  expect(told).not.toContain('AGENTS.md');
});

test('a run that is stopped while files are looked up tells nothing', async () => {
  const { openLog, settings, store, root } = await inRepository();
  const context = async () => {
    session.cancel();
    return [{ kind: 'environment', text: 'half of it' } as const];
  };
  const log = await store.create({ cwd: root, product: 'test' });
  const session = await openLog(log, { context });
  expect(await session.prompt('one', settings(new ScriptedModel()))).toBe('cancelled');
  expect(toldSince(session.events, 0)).toEqual([]);
  expectWellFormed(session.events);
  await session.close();
});

test('a run can be stopped while a file system does not answer', async () => {
  const { openLog, settings, store, root } = await inRepository();
  const context = () => {
    queueMicrotask(() => session.cancel());
    return new Promise<never>(() => {});
  };
  const log = await store.create({ cwd: root, product: 'test' });
  const session = await openLog(log, { context });
  expect(await session.prompt('one', settings(new ScriptedModel()))).toBe('cancelled');
  await session.close();
});

test('the demo works as it does without', async () => {
  const { session, settings } = await inRepository({ mode: 'bypass' });
  const demo = createDemoProvider({ clock: systemClock, wordDelayMs: 0 });
  expect(await session.prompt('Show me', settings(demo))).toBe('done');
  const results = session.events.filter((event) => event.type === 'tool_result');
  expect(results.length).toBeGreaterThan(2);
});

test('what requests began with is in a blob for each model that was asked, and each request names its own', async () => {
  const { session, settings, store, root } = await inRepository();
  const first = new ScriptedModel(calls(1, ['read', { path: 'AGENTS.md' }]), says('Tabs.'));
  await session.prompt('Read it', settings(first, { system: 'You are the first.' }));
  await writeFile(join(root, 'AGENTS.md'), 'Use spaces.\n');
  const second = Object.assign(new ScriptedModel(says('Spaces.')), { tools: ['apply_patch'] });
  await session.prompt('And now?', settings(second, { system: 'You are the second.' }));
  const other = new ScriptedModel(says('Tabs.'));
  await session.prompt('Again', settings(other, { system: 'You are the first.' }));
  await session.close();
  const events = await store.read(session.id);
  const asked = events.filter((event) => event.type === 'request_started');
  const [one, two, three, four] = asked.map(({ prefix = '' }) => prefix);
  expect([two, four]).toEqual([one, one]);
  expect(three).not.toBe(one);
  expect(new Set(blobHashesIn(events))).toEqual(new Set([one, three]));
  for (const [turn, name = ''] of [
    [first.turns[0], one],
    [second.turns[0], three],
  ] as const)
    expect(await readPrefix(store.blobs(session.id), name)).toEqual({
      system: turn?.system,
      tools: turn?.tools,
    });
  const told = await Promise.all(
    asked.map(({ seq }) => injectedContextIn(new LogAt(new LogWindow(events), seq))),
  );
  const instructions = told.map((texts) => texts.find(({ kind }) => kind === 'instructions')?.text);
  expect(instructions.map((text) => /tabs|spaces/.exec(text ?? '')?.[0])).toEqual([
    'tabs',
    'tabs',
    'spaces',
    'spaces',
  ]);
});

test('where what requests began with cannot be kept, they are sent and answered all the same', async () => {
  const { session, settings, store, ports } = await inRepository();
  await writeFile(join(ports.home, 'sessions', session.id, 'blobs'), 'in the way');
  const model = new ScriptedModel(says('Yes.'));
  expect(await session.prompt('Hello', settings(model))).toBe('done');
  await session.close();
  const asked = (await store.read(session.id)).find((event) => event.type === 'request_started');
  expect(await readPrefix(store.blobs(session.id), asked?.prefix ?? '')).toBeUndefined();
});

test('no secret is in what requests began with', async () => {
  const { session, settings, store } = await inRepository({ secrets: ['the-key-of-everything'] });
  const system = 'Your key is the-key-of-everything.';
  await session.prompt('Hello', settings(new ScriptedModel(says('Yes.')), { system }));
  await session.close();
  const asked = (await store.read(session.id)).find((event) => event.type === 'request_started');
  const kept = await readPrefix(store.blobs(session.id), asked?.prefix ?? '');
  expect(kept?.system).toMatch(/^Your key is \[redacted:secret#\w{4}\]\.$/);
});

test('what differs from the last commit is told, and again where it has changed', async () => {
  const git = gitStatusWith(() => findGit([]));
  const { session, settings, root } = await scenario({ tellsContext: true, sees: { git } });
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  await writeFile(join(root, 'a.txt'), 'a');
  const model = new ScriptedModel(says('1'), says('2'), says('3'));
  const ask = async (prompt: string) => {
    await session.prompt(prompt, settings(model));
    return blocksOf(model.turns.at(-1)).filter(({ kind }) => kind === 'git');
  };
  expect(await ask('one')).toHaveLength(1);
  expect(await ask('two')).toHaveLength(1);
  execFileSync('git', ['add', 'a.txt'], { cwd: root });
  const told = (await ask('three')).map(({ text }) => text);
  expect(told).toEqual([expect.stringContaining('?? a.txt'), expect.stringContaining('A  a.txt')]);
  expectPrefixes(model.turns);
});
