import assert from 'node:assert/strict';
import type { SessionController } from '../../../extension/app/sessions/session-controller.ts';
import { MemorySessionLog } from '../../../extension/core/log/memory-session-log.ts';
import {
  type LogFollower,
  NewerLogError,
  SessionBusyError,
} from '../../../extension/core/ports/session-store.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';
import { makeGate } from '../../support/gate.ts';
import { until } from '../../support/until.ts';
import { makeManager } from './make-manager.ts';
import { test } from './runner.ts';

const say = (sessions: SessionController, text: string) =>
  sessions.use((session) => session.prompt(text, []));
const kinds = (events: readonly SessionEvent[]) => events.map(({ type, seq }) => `${seq} ${type}`);

test('sessions: one that another window writes is read along, and taken over when that has let go', async () => {
  const log = new MemorySessionLog('session-1', systemClock);
  const [first] = await log.append([{ type: 'user', content: 'First' }]);
  assert.ok(first);
  let follower: LogFollower | undefined;
  let isClosed = false;
  let isHeld = true;
  const { sessions } = await makeManager(log, {
    readEnd: async () => ({ title: '', events: [] }),
    open: async () => {
      if (isHeld) throw new SessionBusyError('process 1');
      return Object.assign(log, { past: [...log.past, first] });
    },
    follow: async (_, told) => {
      follower = told;
      return {
        past: log.past,
        load: async () => [],
        close() {
          isClosed = true;
        },
      };
    },
  });
  await sessions.show('session-1');
  const heard: SessionEvent[] = [];
  sessions.shown.subscribe({ onEvents: (events) => heard.push(...events) });
  follower?.onEvents([first]);
  assert.deepEqual(kinds(heard), ['2 user']);
  assert.deepEqual(kinds(sessions.shown.log.events), ['1 session_started', '2 user']);
  assert.equal(sessions.shown.readOnly, true);
  await assert.rejects(say(sessions, 'Mine'), SessionBusyError);
  let changes = 0;
  sessions.shown.onDidChangeAccess(() => {
    changes += 1;
  });
  isHeld = false;
  follower?.onHeld(false);
  assert.equal(changes, 1);
  assert.equal(sessions.shown.readOnly, false);
  assert.equal((await say(sessions, 'Mine')).reason, 'done');
  assert.equal(isClosed, true);
  assert.equal(sessions.shown.now.foreign, undefined);
  assert.equal(sessions.shown.now.session?.id, 'session-1');
  sessions.dispose();
});

/** One that another window has written, and that nobody writes any more. */
async function freed(log: MemorySessionLog, opening: Promise<unknown> = Promise.resolve()) {
  let follower: LogFollower | undefined;
  const made = await makeManager(log, {
    readEnd: async () => ({ title: '', events: [] }),
    create: async () => new MemorySessionLog('session-2', systemClock),
    open: async () => {
      if (!follower) throw new SessionBusyError('process 1');
      await opening;
      return log;
    },
    follow: async (_, told) => {
      follower = told;
      return { past: log.past, load: async () => [], close() {} };
    },
  });
  await made.sessions.show('session-1');
  return {
    ...made,
    free: () => follower?.onHeld(false),
    tell: (events: readonly SessionEvent[]) => follower?.onEvents(events),
  };
}

test('sessions: a prompt goes into the one that it was sent in, though a new one is shown while that is opened', async () => {
  const opened = makeGate();
  const { sessions, free } = await freed(new MemorySessionLog('session-1', systemClock), opened.opened);
  free();
  const said = sessions.use(async (session) => session.id);
  await sessions.startNew();
  opened.open();
  assert.equal(await said, 'session-1');
  assert.equal(sessions.shown.id, '');
  sessions.dispose();
});

test('sessions: a run whose window has died is ended by the window that looks at it', async () => {
  const log = new MemorySessionLog('session-1', systemClock);
  const { sessions, free, tell } = await freed(log);
  tell(
    await log.append([
      { type: 'user', content: 'Go' },
      { type: 'turn_started', turn: 1 },
      { type: 'status', state: 'thinking', message: 'Thinking' },
    ]),
  );
  assert.equal(sessions.shown.log.head.run.busy, true);
  free();
  await until(() => sessions.shown.now.session !== undefined);
  assert.equal(sessions.shown.log.head.run.busy, false);
  assert.equal(sessions.shown.readOnly, false);
  sessions.dispose();
});

test('sessions: nothing is asked in a recording that is shown', async () => {
  const log = new MemorySessionLog('session-1', systemClock);
  const { sessions } = await freed(log);
  const { foreign } = sessions.shown.now;
  assert.ok(foreign);
  await sessions.showReplay(foreign);
  await assert.rejects(say(sessions, 'Mine'), /recording/);
  await assert.rejects(
    sessions.use((session) => session.compact()),
    /recording/,
  );
  sessions.dispose();
});

test('sessions: one of a newer version is shown read-only, and says why', async () => {
  const log = new MemorySessionLog('session-1', systemClock);
  const { sessions } = await makeManager(log, {
    readEnd: async () => ({ title: '', events: [] }),
    open: async () => {
      throw new NewerLogError(2);
    },
    follow: async (_, told) => {
      told.onHeld(true);
      return { past: log.past, load: async () => [], close() {} };
    },
  });
  await sessions.show('session-1');
  assert.equal(sessions.shown.readOnly, true);
  assert.equal(sessions.shown.isNewer, true);
  await assert.rejects(say(sessions, 'Mine'), NewerLogError);
  await sessions.startNew();
  assert.equal(sessions.shown.isNewer, false);
  sessions.dispose();
});
