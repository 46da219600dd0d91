import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenSession } from '../../../extension/app/sessions/open-session.ts';
import type { SessionController } from '../../../extension/app/sessions/session-controller.ts';
import { MemorySessionLog } from '../../../extension/core/log/memory-session-log.ts';
import type { SessionLog } from '../../../extension/core/ports/session-store.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import { JsonlSessionStore } from '../../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';
import { FullLog } from '../../support/full-log.ts';
import { makeGate } from '../../support/gate.ts';
import { makeFolder } from './files.ts';
import { hello, makeManager } from './make-manager.ts';
import { eventually, test } from './runner.ts';

const lost = () => assert.fail('nothing comes back into the input');
const speaker = { landed: () => {}, insert: lost, edit: lost };
const say = (sessions: SessionController, text: string) =>
  sessions.use((session) => session.prompt(text, []));
const kinds = (events: readonly SessionEvent[]) => events.map(({ type, seq }) => `${seq} ${type}`);

test('sessions: where the log cannot be written, whoever follows hears that, once, and the run goes on', async () => {
  const log = new FullLog('session-1', systemClock);
  const { sessions } = await makeManager(log);
  const heard: SessionEvent[] = [];
  sessions.shown.subscribe({ onEvents: (events) => heard.push(...events) });
  log.isFull = true;
  assert.equal((await say(sessions, 'Hello?')).reason, 'done');
  assert.equal(sessions.busy, false);
  assert.equal(heard.filter(({ type }) => type === 'error').length, 1);
  log.isFull = false;
  assert.equal((await say(sessions, 'Hello??')).reason, 'done');
  assert.equal(heard.filter(({ type }) => type === 'notice').length, 1);
  assert.deepEqual(kinds(sessions.shown.log.events).slice(1), kinds(heard));
  assert.deepEqual(
    heard.map(({ seq }) => seq),
    heard.map((_, index) => index + 2),
  );
  sessions.dispose();
});

test('sessions: where the disk takes nothing from the start, a new one is in memory, says why, and leaves nothing', async () => {
  const home = await makeFolder();
  await writeFile(join(home, 'sessions'), 'in the way');
  const store = new JsonlSessionStore(join(home, 'sessions'), systemClock);
  const errors: string[] = [];
  const { sessions, open } = await makeManager(new MemorySessionLog('', systemClock), {
    create: (start) => store.create(start),
    blobs: (id) => store.blobs(id),
    isRecorded: true,
    error: (message) => errors.push(message),
  });
  assert.equal((await say(sessions, 'Hello?')).reason, 'done');
  const told = sessions.shown.log.events.filter((event) => event.type === 'error');
  assert.equal(told.length, 1);
  assert.match(told[0]?.message ?? '', /a file exists where its folder should be/);
  await open.dispose();
  assert.match(errors.join(), /The session log could not be written/);
  assert.deepEqual(await readdir(home), ['sessions']);
  sessions.dispose();
});

test('sessions: of a long one the end is there at once, and whoever wants to work in it waits for the rest', async () => {
  const log = new MemorySessionLog('session-1', systemClock);
  const prompts = await log.append([
    { type: 'user', content: 'First' },
    { type: 'user', content: 'Second' },
  ]);
  const past = [...log.past, ...prompts];
  let open = (_: SessionLog) => {};
  const opening = new Promise<SessionLog>((resolve) => {
    open = resolve;
  });
  const { sessions, saved } = await makeManager(log, {
    shown: 'session-1',
    readEnd: async () => ({ title: 'First', events: past.slice(2) }),
    open: () => opening,
  });
  await sessions.restore();
  assert.equal(sessions.shown.id, 'session-1');
  assert.equal(sessions.shown.title, 'First');
  assert.deepEqual(kinds(sessions.shown.end?.events ?? []), ['3 user']);
  assert.deepEqual(sessions.shown.log.events, []);
  let changes = 0;
  sessions.shown.onDidChange(() => {
    changes += 1;
  });
  const said = say(sessions, 'Third');
  await nextTurn();
  assert.equal(changes, 0);
  open(Object.assign(log, { past }));
  assert.equal((await said).reason, 'done');
  assert.equal(changes, 1);
  assert.equal(sessions.shown.end, undefined);
  assert.deepEqual(kinds(sessions.shown.log.events).slice(0, 4), [
    '1 session_started',
    '2 user',
    '3 user',
    '4 user',
  ]);
  assert.deepEqual(saved, [], 'what is remembered is not written again');
  await sessions.startNew();
  assert.deepEqual(saved, ['']);
  sessions.dispose();
});

test('sessions: one whose end was shown, but which cannot be opened, gives way to an empty panel', async () => {
  const log = new MemorySessionLog('session-1', systemClock);
  const past = await log.append([{ type: 'user', content: 'First' }]);
  const warnings: string[] = [];
  const { sessions } = await makeManager(log, {
    shown: 'session-1',
    readEnd: async () => ({ title: 'First', events: past }),
    warn: (problem) => warnings.push(problem),
  });
  await sessions.restore();
  assert.equal(sessions.shown.id, 'session-1');
  await sessions.whole();
  assert.equal(sessions.shown.id, '');
  assert.match(warnings.join(), /was not opened/);
  assert.equal(sessions.shown.end, undefined);
  sessions.dispose();
});

test('sessions: one that is chosen shows its end at once, whatever is read for the one before it', async () => {
  const first = new MemorySessionLog('session-1', systemClock);
  const second = new MemorySessionLog('session-2', systemClock);
  const past = await second.append([{ type: 'user', content: 'Second' }]);
  const gate = makeGate();
  const { sessions } = await makeManager(first, {
    readEnd: async (id) => ({ title: id, events: past }),
    open: async (id) => {
      await gate.opened;
      return id === 'session-1' ? first : Object.assign(second, { past });
    },
  });
  const shown: string[] = [];
  sessions.shown.onDidChange(() =>
    shown.push(`${sessions.shown.title}${sessions.shown.end ? ', its end' : ''}`),
  );
  await sessions.show('session-1');
  const reading = sessions.whole();
  await sessions.show('session-2');
  assert.deepEqual(shown, ['session-1, its end', 'session-2, its end']);
  gate.open();
  await reading;
  assert.deepEqual([sessions.shown.id, sessions.shown.end], ['session-2', undefined]);
  assert.deepEqual(shown.slice(2), ['Second']);
  sessions.dispose();
});

test('sessions: one that is chosen and does not exist leaves the panel as it is', async () => {
  const { sessions } = await makeManager(new MemorySessionLog('session-1', systemClock));
  await say(sessions, 'Hello?');
  await assert.rejects(sessions.show('session-2'), /not part of this test/);
  assert.equal(sessions.shown.id, 'session-1');
  sessions.dispose();
});

test('sessions: what waits is sent though nobody shows the session, and then it is closed', async () => {
  let closed = 0;
  class CountedLog extends MemorySessionLog implements SessionLog {
    override async close(): Promise<void> {
      closed += 1;
    }
  }
  const gate = makeGate();
  const model = new ScriptedModel(async function* () {
    await gate.opened;
    yield* hello;
  }, hello);
  const { sessions, open } = await makeManager(new CountedLog('session-1', systemClock), { model });
  const session = await sessions.use(async (begun) => begun);
  const first = session.prompts.submit({ text: 'one' }, speaker);
  await session.prompts.submit({ text: 'two' }, speaker);
  await sessions.startNew();
  assert.deepEqual(
    [sessions.shown.id, sessions.busy, open.running.length, session.state],
    ['', false, 1, 'running'],
  );
  gate.open();
  await first;
  await eventually('it is closed', () => closed === 1);
  const prompts = session.log.events.flatMap((event) => (event.type === 'user' ? [event.content] : []));
  assert.deepEqual(prompts, ['one', 'two']);
  assert.deepEqual([open.all.length, session.state], [0, 'idle']);
  sessions.dispose();
  await open.dispose();
});

test('sessions: two panels share one session, which is closed when the last of them has left', async () => {
  const log = new MemorySessionLog('session-1', systemClock);
  const { sessions, open } = await makeManager(log);
  const session = await sessions.use(async (begun) => begun);
  assert.equal(await open.hold('session-1'), session);
  await sessions.startNew();
  assert.equal(open.find('session-1'), session);
  await session.core.rename('Ours');
  assert.equal(session.title, 'Ours');
  await open.release(session);
  assert.equal(open.find('session-1'), undefined);
  sessions.dispose();
});

/** A store whose sessions wait to be opened, created or forked until they are let. */
async function slowStore() {
  const waiting = new Map<string, () => void>();
  const later = (id: string) =>
    new Promise<SessionLog>((resolve) =>
      waiting.set(id, () => resolve(new MemorySessionLog(id, systemClock))),
    );
  let made = 0;
  const manager = await makeManager(new MemorySessionLog('unused', systemClock), {
    readEnd: async () => ({ title: '', events: [] }),
    open: later,
    create: () => {
      made += 1;
      return later(`new-${made}`);
    },
    fork: () => later('fork'),
  });
  const finish = async (id: string) => {
    await eventually(`${id} is asked for`, () => waiting.has(id));
    waiting.get(id)?.();
    waiting.delete(id);
    await nextTurn();
  };
  const show = async (id: string) => {
    const showing = manager.sessions.show(id);
    await finish(id);
    await showing;
  };
  return { ...manager, finish, show };
}

const promptsOf = ({ log }: OpenSession) =>
  log.events.flatMap((event) => (event.type === 'user' ? [event.content] : []));

test('sessions: whoever asks for the one that is shown keeps it, though another was asked for before', async () => {
  const { sessions, open, finish, show } = await slowStore();
  await show('a');
  const other = sessions.show('b');
  await sessions.show('a');
  await finish('b');
  await other;
  assert.equal(sessions.shown.id, 'a');
  await open.settle();
  assert.equal(open.find('b'), undefined);
  sessions.dispose();
  await open.dispose();
});

test('sessions: a first prompt goes into its session, and does not take the panel back from where the user went', async () => {
  const { sessions, open, finish, show } = await slowStore();
  await show('a');
  await sessions.startNew();
  let begun: OpenSession | undefined;
  const said = sessions.use((session) => {
    begun = session;
    return session.prompt('For the new one', []);
  });
  const shown = show('a');
  await finish('new-1');
  await shown;
  assert.equal((await said).session, 'new-1');
  assert.deepEqual(begun && promptsOf(begun), ['For the new one']);
  assert.equal(sessions.shown.id, 'a');
  await open.settle();
  assert.equal(open.find('new-1'), undefined);
  sessions.dispose();
  await open.dispose();
});

test('sessions: a fork works on its prompt, and does not take the panel back from where the user went', async () => {
  const { sessions, open, finish, show } = await slowStore();
  await show('a');
  let forked: OpenSession | undefined;
  const said = sessions.fork(1, (session) => {
    forked = session;
    return session.prompt('In other words', []);
  });
  const left = sessions.startNew();
  await finish('fork');
  await left;
  assert.equal((await said).session, 'fork');
  assert.deepEqual(forked && promptsOf(forked), ['In other words']);
  assert.equal(sessions.shown.id, '');
  sessions.dispose();
  await open.dispose();
});

test('sessions: a prompt after “New Session” begins another one, though the first is still being made', async () => {
  const { sessions, open, finish } = await slowStore();
  const first = sessions.use(async ({ id }) => id);
  await nextTurn();
  await sessions.startNew();
  assert.equal(sessions.busy, false);
  const second = sessions.use(async ({ id }) => id);
  await finish('new-1');
  await finish('new-2');
  assert.deepEqual(await Promise.all([first, second]), ['new-1', 'new-2']);
  assert.equal(sessions.shown.id, 'new-2');
  sessions.dispose();
  await open.dispose();
});
