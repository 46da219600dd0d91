import { spawnSync } from 'node:child_process';
import { chmod, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { versionOf } from '../../extension/core/base/content-hash.ts';
import { untrackedChangesSince } from '../../extension/core/checkpoints/restore/notice.ts';
import { restorePointsOf } from '../../extension/core/checkpoints/restore-points.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { asideOf, temporaryBeside } from '../../extension/node/fs/temporary-files.ts';
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
  const { session, openLog, settings, store, root } = await scenario({ readsFirst: true });
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
    result: expect.stringContaining('you have not seen line 1'),
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
  return { id: log.id, open: async () => place.openLog(await place.store.open(log.id)) };
}

const write = (path: string): EventDraft => ({
  type: 'tool_call',
  id: 'call_1',
  name: 'write',
  input: { path },
});
const answered: EventDraft = { type: 'request_ended', request: 1, outcome: 'completed', stop: 'tool_calls' };
const started: EventDraft = { type: 'tool_started', id: 'call_1' };
const willMake = (path: string): EventDraft => ({
  type: 'checkpoint',
  id: 'call_1',
  files: [{ path, state: { kind: 'absent' } }],
});

test('a change in which its writer died is told as the disk has it, before its call is closed', async () => {
  const place = await scenario();
  const path = join(place.root, 'a.txt');
  const { open } = await diedAfter(place, [write('a.txt'), answered, willMake(path), started]);
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
  const { open } = await diedAfter(place, [write('a.txt'), answered, willMake(path), started]);
  expect((await open()).events.filter(({ type }) => type === 'files_changed')).toEqual([]);
  const bash: EventDraft = { type: 'tool_call', id: 'call_1', name: 'bash', input: { command: 'make' } };
  const { open: openCommand } = await diedAfter(place, [bash, answered, started]);
  const session = await openCommand();
  const unknown = 'The command was interrupted. Its changes up to then are unknown.';
  expect(session.events.find(({ type }) => type === 'files_changed')).toMatchObject({
    changes: [],
    uncovered: unknown,
  });
  expect(restorePointsOf(session.events)[0]).toMatchObject({ next: 'call', files: 0, isUnknown: true });
  expect(untrackedChangesSince(session.events, 1)).toEqual([unknown]);
});

/** A session whose writer died in a command; what it had noted of the workspace says that it lived until `lived`. */
async function diedInCommand(lived: Date, saved: Record<string, string> = {}) {
  const place = await scenario({ mode: 'bypass' });
  const at = (name: string) => join(place.root, name);
  for (const name of ['deleted.txt', 'gone.txt', 'kept.txt', 'mode.sh', 'moved.txt', 'old.txt'])
    await writeFile(at(name), name, { mode: 0o644 });
  const bash: EventDraft = { type: 'tool_call', id: 'call_1', name: 'bash', input: { command: 'make' } };
  const { id, open } = await diedAfter(place, [bash, answered, started]);
  const scans = join(place.ports.home, 'scans');
  const records = async () => (await readdir(scans).catch(() => [])).filter((name) => !name.endsWith('.tmp'));
  const { signal } = new AbortController();
  const scan = await place.ports.scan?.begin({ session: id, call: 'call_1' }, signal);
  await expect.poll(records).toHaveLength(1);
  for (const [file, text] of Object.entries(saved)) await writeFile(at(file), text);
  await rm(at('deleted.txt'));
  await place.ports.scan?.absorb([...Object.keys(saved), 'deleted.txt'].map(at));
  const [name = ''] = await records();
  const record = await readFile(join(scans, name));
  await scan?.end();
  expect(await records(), 'while the command runs, and no longer').toEqual([]);
  await writeFile(join(scans, name), record);
  await utimes(join(scans, name), lived, lived);
  await writeFile(at('made.txt'), 'made');
  await writeFile(at('old.txt'), 'changed');
  await rm(at('gone.txt'));
  await rename(at('moved.txt'), at('new.txt'));
  await chmod(at('mode.sh'), 0o755);
  return { ...place, at, open, records };
}

const LATER = new Date(Date.now() + 3_600_000);

test('what a command had changed when its process died is found out by the next one, and taken back as far as it is known', async () => {
  const { at, open, records } = await diedInCommand(LATER);
  const session = await open();
  const told = session.events.find((event) => event.type === 'files_changed');
  expect(told?.changes.map(({ path, before, after }) => [basename(path), before.kind, after.kind])).toEqual([
    ['gone.txt', 'file', 'absent'],
    ['made.txt', 'absent', 'file'],
    ['mode.sh', 'file', 'file'],
    ['moved.txt', 'file', 'absent'],
    ['new.txt', 'absent', 'file'],
    ['old.txt', 'file', 'file'],
  ]);
  expect(told?.uncovered).toBe(
    'The previous contents of these changed files (3) were not stored: gone.txt, mode.sh, old.txt.',
  );
  expect(await records()).toEqual([]);
  const plan = await session.planRestore(2);
  const files = await session.restore({ to: 2, plan, choices: new Map() });
  expect(files.filter(({ outcome }) => outcome === 'identical').map(({ path }) => basename(path))).toEqual([
    'made.txt',
    'moved.txt',
    'new.txt',
  ]);
  expect((await readdir(at(''))).sort()).toEqual(['kept.txt', 'mode.sh', 'moved.txt', 'old.txt']);
  expect(await readFile(at('moved.txt'), 'utf8')).toBe('moved.txt');
  expect(await readFile(at('old.txt'), 'utf8')).toBe('changed');
});

test('what an editor of the window saved or deleted while the command ran is the user’s after a crash, too', async () => {
  const { at, open } = await diedInCommand(LATER, { 'mine.txt': 'mine', 'kept.txt': 'mine too' });
  const session = await open();
  const told = session.events.find((event) => event.type === 'files_changed');
  expect(told?.changes.map(({ path }) => basename(path))).toEqual([
    'gone.txt',
    'made.txt',
    'mode.sh',
    'moved.txt',
    'new.txt',
    'old.txt',
  ]);
  await session.restore({ to: 2, plan: await session.planRestore(2), choices: new Map() });
  expect((await readdir(at(''))).sort()).toEqual(['kept.txt', 'mine.txt', 'mode.sh', 'moved.txt', 'old.txt']);
  expect(await readFile(at('kept.txt'), 'utf8')).toBe('mine too');
});

test('what was changed when the command can have run no more is nobody’s, and is told', async () => {
  const { open } = await diedInCommand(new Date(0));
  const told = (await open()).events.find((event) => event.type === 'files_changed');
  expect(told).toMatchObject({
    changes: [],
    uncovered:
      'The command was interrupted. It may have changed these paths (6): gone.txt, made.txt, mode.sh, ….',
  });
});

test('what is not known of the changes behind a checkpoint is said when it is restored', async () => {
  const place = await scenario({ mode: 'bypass' });
  const bash: EventDraft = { type: 'tool_call', id: 'call_1', name: 'bash', input: { command: 'make' } };
  const { open } = await diedAfter(place, [bash, answered, started]);
  const session = await open();
  const writing: readonly [string, Record<string, unknown>] = ['write', { path: 'a.txt', content: 'a' }];
  await session.prompt('Go', place.settings(new ScriptedModel(calls(2, writing), says('Done.'))));
  await session.restore({ to: 2, plan: await session.planRestore(2), choices: new Map() });
  expect(session.events.findLast((event) => event.type === 'notice')?.message).toBe(
    '1 file identical to checkpoint: a.txt.\nSome later changes are unknown. The command was interrupted. Its changes up to then are unknown.',
  );
});

test('what a dead process has left half-done beside a file is cleared away, what a living one is at stays', async () => {
  const place = await scenario();
  const path = join(place.root, 'a.txt');
  const { open } = await diedAfter(place, [write('a.txt'), answered, willMake(path), started]);
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
