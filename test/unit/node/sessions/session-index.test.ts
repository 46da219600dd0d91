import { appendFile, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import type { EventDraft } from '../../../../extension/protocol/events.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const NOON = 1_700_000_000_000;
const action = { title: 'Run', detail: 'ls', warnings: [] };
const asked = { type: 'permission_request', id: 'call', tool: 'bash', risk: 'high', action } as const;
const user = (content: string) => ({ type: 'user', content }) as const;

async function newStore() {
  const root = await tempDir();
  const clock = new ManualClock(NOON);
  return { root, clock, store: new JsonlSessionStore(root, clock), index: join(root, 'index.json') };
}

async function store(sessions: Awaited<ReturnType<typeof newStore>>, ...drafts: readonly EventDraft[]) {
  const log = await sessions.store.create({ cwd: '/repo', product: 'test' });
  if (drafts.length > 0) await log.append(drafts);
  return log;
}

test('a summary is made of prompts, names, times and the end of the last run', async () => {
  const sessions = await newStore();
  const log = await store(sessions, user('Fix the date test\nplease'), { type: 'turn_started', turn: 1 });
  sessions.clock.advance(60_000);
  await log.append([{ type: 'turn_ended', turn: 1, reason: 'done' }, user('And the other one')]);
  sessions.clock.advance(60_000);
  await log.append([{ type: 'title', title: 'Dates' }]);
  await log.close();
  expect(await sessions.store.list()).toEqual([
    { id: log.id, title: 'Dates', cwd: '/repo', updated: NOON + 60_000, prompts: 2, state: 'idle' },
  ]);
});

test('a session that begins with images is called so, until something is said', async () => {
  const sessions = await newStore();
  const log = await store(sessions, { ...user(''), attachments: ['images/dot.png'] });
  const title = async () => (await sessions.store.list())[0]?.title;
  expect(await title()).toBe('Image');
  await log.append([user('What is this?')]);
  expect(await title()).toBe('What is this?');
  await log.append([user('And that?')]);
  expect(await title()).toBe('What is this?');
  await log.close();
});

test('what runs is told apart from what was cut off by who holds the lock', async () => {
  const sessions = await newStore();
  const log = await store(sessions, user('one'), { type: 'turn_started', turn: 1 });
  const state = async () => (await sessions.store.list())[0]?.state;
  expect(await state()).toBe('running');
  await log.append([{ type: 'tool_call', id: 'call', name: 'bash', input: {} }, asked]);
  expect(await state()).toBe('waiting');
  await log.append([{ type: 'tool_result', id: 'call', result: '{}', isError: false }]);
  expect(await state()).toBe('running');
  await log.close();
  expect(await state()).toBe('error');
  const again = await sessions.store.open(log.id);
  await again.append([{ type: 'turn_ended', turn: 1, reason: 'cancelled' }]);
  expect(await state()).toBe('idle');
  await again.close();
});

test('the index is believed as long as size and time of the log are the same', async () => {
  const sessions = await newStore();
  const log = await store(sessions, user('one'));
  await log.close();
  await sessions.store.list();
  const known = JSON.parse(await readFile(sessions.index, 'utf8'));
  known.sessions[0].summary.title = 'from the index';
  await writeFile(sessions.index, JSON.stringify(known));
  const title = async () => (await sessions.store.list())[0]?.title;
  expect(await title()).toBe('from the index');
  const path = join(sessions.root, log.id, 'events.jsonl');
  await utimes(path, new Date(NOON), new Date(NOON));
  expect(await title()).toBe('one');
  const again = await sessions.store.open(log.id);
  await again.append([{ type: 'title', title: 'two' }]);
  await again.close();
  expect(await title()).toBe('two');
});

test.each(['', 'null', '{"version":0,"sessions":[]}', '{"version":1,"sessions":[{}]}', 'not json'])(
  'an index that holds “%s” is made anew',
  async (text) => {
    const sessions = await newStore();
    await (await store(sessions, user('one'))).close();
    const before = await sessions.store.list();
    await writeFile(sessions.index, text);
    expect(await sessions.store.list()).toEqual(before);
    expect(JSON.parse(await readFile(sessions.index, 'utf8')).sessions).toHaveLength(1);
    await rm(sessions.index);
    expect(await sessions.store.list()).toEqual(before);
  },
);

test('of a log that has grown, only the rest is read', async () => {
  const sessions = await newStore();
  const log = await store(sessions, user('one'), user('x'.repeat(5000)), { type: 'turn_started', turn: 1 });
  await sessions.store.list();
  const path = join(sessions.root, log.id, 'events.jsonl');
  const { bytes } = JSON.parse(await readFile(sessions.index, 'utf8')).sessions[0].digest;
  expect(bytes).toBe((await stat(path)).size);
  await log.append([user('two'), { type: 'turn_ended', turn: 1, reason: 'error' }]);
  await log.close();
  // A reader of the beginning would find no title and one prompt less.
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"content":"one"', '"content":"xyz"'));
  expect(await sessions.store.list()).toMatchObject([{ title: 'one', prompts: 3, state: 'error' }]);
});

test('a log that became another one is read whole', async () => {
  const sessions = await newStore();
  const log = await store(sessions, user('one'));
  await log.close();
  await sessions.store.list();
  const path = join(sessions.root, log.id, 'events.jsonl');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"content":"one"', '"content":"another"').replaceAll(/\n$/g, '\n\n\n'));
  expect(await sessions.store.list()).toMatchObject([{ title: 'another', prompts: 1 }]);
});

test('a line that its writer had not ended is read again', async () => {
  const sessions = await newStore();
  const log = await store(sessions, user('one'));
  await log.append([user('two')]);
  await log.close();
  const path = join(sessions.root, log.id, 'events.jsonl');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.slice(0, -10));
  expect(await sessions.store.list()).toMatchObject([{ prompts: 1 }]);
  await writeFile(path, text.slice(0, -1));
  expect(await sessions.store.list()).toMatchObject([{ prompts: 2 }]);
  await writeFile(path, text);
  expect(await sessions.store.list()).toMatchObject([{ prompts: 2 }]);
});

test('an index that has nothing to say is not written again, and a session that is gone leaves it', async () => {
  const sessions = await newStore();
  await (await store(sessions, user('one'))).close();
  const second = await store(sessions, user('two'));
  await second.close();
  await sessions.store.list();
  const { mtimeMs, ino } = await stat(sessions.index);
  await sessions.store.list();
  expect(await stat(sessions.index)).toMatchObject({ mtimeMs, ino });
  await rm(join(sessions.root, second.id), { recursive: true });
  expect(await sessions.store.list()).toHaveLength(1);
  expect(await readFile(sessions.index, 'utf8')).not.toContain(second.id);
});

test('where the index cannot be written, the list is there all the same', async () => {
  const sessions = await newStore();
  await (await store(sessions, user('one'))).close();
  await mkdir(join(sessions.index, 'in-the-way'), { recursive: true });
  expect(await sessions.store.list()).toHaveLength(1);
});

test('damaged lines, those of other versions and those in another order of fields are read as far as they can be', async () => {
  const sessions = await newStore();
  const log = await store(sessions, user('one'));
  await log.close();
  const place = { timestamp: NOON + 5, session: log.id, seq: 9, prev: '' };
  const lines = ['{"type":"user"', '{"type":"hologram"}', JSON.stringify({ ...place, ...user('two') })];
  await appendFile(join(sessions.root, log.id, 'events.jsonl'), `${lines.join('\n')}\n{"torn`);
  expect(await sessions.store.list()).toMatchObject([{ title: 'one', prompts: 2 }]);
});

test.each([1e20, -1, 0.5])(
  'a time that is none, %d, in what the list knows ends no list: the log is read again',
  async (updated) => {
    const sessions = await newStore();
    const log = await store(sessions, user('one'));
    await log.close();
    const listed = await sessions.store.list();
    const known = await readFile(sessions.index, 'utf8');
    await writeFile(sessions.index, known.replace(/"updated":\d+/, `"updated":${updated}`));
    expect(await sessions.store.list()).toEqual(listed);
    expect(await readFile(sessions.index, 'utf8')).toBe(known);
  },
);
