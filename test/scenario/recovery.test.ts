import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/scripted-model.ts';
import { versionOf } from '../../extension/core/tools/version.ts';
import { asideOf, temporaryBeside } from '../../extension/node/temporary-files.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { calls, expectWellFormed, type Scenario, says, scenario } from '../support/scenario.ts';

test('a session that was killed at any event opens again, complete, and goes on', async () => {
  const { session, openLog, settings, store, ports } = await scenario();
  const model = new ScriptedModel(
    [
      { type: 'text', text: 'First.' },
      ...calls(1, ['write', { path: 'a.txt', content: 'a\n' }], ['bash', { command: 'cat a.txt' }]),
    ],
    says('Done.'),
  );
  await session.prompt('Go', settings(model));
  await session.close();
  const lines = (await readFile(join(ports.home, 'sessions', session.id, 'events.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n');
  for (let kept = 1; kept <= lines.length; kept++) {
    const fresh = await store.create({ cwd: '/', product: 'test' });
    const past = session.events
      .slice(1, kept)
      .map(({ seq: _seq, prev: _prev, session: _session, timestamp: _time, ...draft }) => draft);
    await fresh.append(past);
    await fresh.close();
    const reopened = await openLog(await store.open(fresh.id));
    expectWellFormed(reopened.events);
    const next = new ScriptedModel(says('Welcome back.'));
    expect(await reopened.prompt('On', settings(next)), `killed after ${kept} events`).toBe('done');
    expect(next.turns[0]?.messages.at(-1)?.role).toBe('user');
    await reopened.close();
  }
});

test('what the model knows of a file survives a restart: a change by somebody else is noticed', async () => {
  const { session, openLog, settings, store, root } = await scenario();
  await writeFile(join(root, 'a.txt'), 'one\n');
  await session.prompt(
    'Read',
    settings(new ScriptedModel(calls(1, ['read', { path: 'a.txt' }]), says('Read.'))),
  );
  await session.close();
  await writeFile(join(root, 'a.txt'), 'somebody else\n');
  const reopened = await openLog(await store.open(session.id));
  const edit = { path: 'a.txt', operations: [{ op: 'delete', startLine: 1, endLine: 1 }] };
  await reopened.prompt('Edit', settings(new ScriptedModel(calls(2, ['edit', edit]), says('I see.'))));
  expect(reopened.events.findLast((event) => event.type === 'tool_result')).toMatchObject({
    isError: true,
    result: expect.stringContaining('changed'),
  });
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('somebody else\n');
});

/** A session whose writer died when it had written `drafts` into it, and nothing more. */
async function diedAfter(place: Scenario, drafts: readonly EventDraft[]) {
  const log = await place.store.create({ cwd: place.root, product: 'test' });
  await log.append([
    { type: 'user', content: 'Go' },
    { type: 'turn_started', turn: 1 },
    { type: 'request_started', request: 1, provider: 'p', model: 'm' },
    ...drafts,
  ]);
  await log.close();
  return async () => place.openLog(await place.store.open(log.id));
}

const write = (path: string): EventDraft => ({
  type: 'tool_call',
  id: 'call_1',
  name: 'write',
  input: { path },
});
const answered: EventDraft = { type: 'request_ended', request: 1, outcome: 'completed', stop: 'tool_calls' };
const started: EventDraft = { type: 'tool_started', id: 'call_1' };

test('a change in which its writer died is told as the disk has it, before its call is closed', async () => {
  const place = await scenario();
  const path = join(place.root, 'a.txt');
  const checkpoint: EventDraft = {
    type: 'checkpoint',
    id: 'call_1',
    files: [{ path, state: { kind: 'absent' } }],
  };
  const open = await diedAfter(place, [write('a.txt'), answered, checkpoint, started]);
  await writeFile(path, 'new\n', { mode: 0o644 });
  const session = await open();
  const types = session.events.map(({ type }) => type);
  expect(types.indexOf('files_changed')).toBeLessThan(types.indexOf('tool_result'));
  const told = session.events.find((event) => event.type === 'files_changed');
  expect(told).toMatchObject({
    id: 'call_1',
    changes: [
      { path, before: { kind: 'absent' }, after: { kind: 'file', hash: versionOf(Buffer.from('new\n')) } },
    ],
  });
  await session.close();
  const again = await open();
  expect(again.events, 'told once').toEqual(session.events);
});

test('a change that its writer did not get to changes nothing, and of a command nobody knows', async () => {
  const place = await scenario();
  const path = join(place.root, 'a.txt');
  const checkpoint: EventDraft = {
    type: 'checkpoint',
    id: 'call_1',
    files: [{ path, state: { kind: 'absent' } }],
  };
  const open = await diedAfter(place, [write('a.txt'), answered, checkpoint, started]);
  expect((await open()).events.filter(({ type }) => type === 'files_changed')).toEqual([]);
  const bash: EventDraft = { type: 'tool_call', id: 'call_1', name: 'bash', input: { command: 'make' } };
  const openCommand = await diedAfter(place, [bash, answered, started]);
  expect((await openCommand()).events.find(({ type }) => type === 'files_changed')).toMatchObject({
    changes: [],
    uncovered: expect.stringContaining('not known'),
  });
});

test('what a dead process has left half-done beside a file is cleared away, what a living one is at stays', async () => {
  const place = await scenario();
  const path = join(place.root, 'a.txt');
  const checkpoint: EventDraft = {
    type: 'checkpoint',
    id: 'call_1',
    files: [{ path, state: { kind: 'absent' } }],
  };
  const open = await diedAfter(place, [write('a.txt'), answered, checkpoint, started]);
  const ours = basename(temporaryBeside(path));
  const dead = (name: string) => name.replace(String(process.pid), String(spawnSync('true').pid));
  const aside = dead(basename(asideOf(path)));
  await writeFile(join(place.root, ours), 'in the making');
  await writeFile(join(place.root, dead(ours)), 'half');
  await writeFile(join(place.root, aside), 'what was there');
  await open();
  expect((await readdir(place.root)).sort()).toEqual([ours, 'a.txt'].sort());
  expect(await readFile(path, 'utf8')).toBe('what was there');
});
