import { writeFileSync } from 'node:fs';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SessionBusyError } from '../../extension/core/ports/session-store.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { verifyLog } from '../../extension/node/log/verify-log.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { craftedLock } from '../support/crafted-lock.ts';
import { failure, watchFiles } from '../support/files.ts';
import { calls, expectWellFormed, type Scenario, says, scenario } from '../support/scenario.ts';
import { until } from '../support/until.ts';

/** From now on nothing can be written to files whose path ends like this, until `mend` is called. */
function fillDisk({ ports }: Scenario, ending: string) {
  let isFull = false;
  const stop = watchFiles(ports.home, (operation, perform) => {
    if (isFull && operation.name === 'handle.write' && operation.path.endsWith(ending))
      throw failure(operation.name, operation.path);
    return perform();
  });
  onTestFinished(stop);
  return {
    fill: () => {
      isFull = true;
    },
    mend: () => {
      isFull = false;
    },
  };
}

async function troubled(ending: string) {
  const place = await scenario({ mode: 'bypass' });
  const disk = fillDisk(place, ending);
  // Its file is opened anew, under the eyes of the test.
  await place.session.close();
  const session = await place.openLog(await place.store.open(place.session.id));
  const path = join(place.ports.home, 'sessions', session.id, 'events.jsonl');
  return { ...place, session, disk, logged: () => readFile(path, 'utf8') };
}

function resultOf(events: readonly SessionEvent[], id: string) {
  return events.find((event) => event.type === 'tool_result' && event.id === id);
}

const read = ['read', { path: 'a.txt' }] as const;
const write = ['write', { path: 'b.txt', content: 'b\n' }] as const;

test('while the log cannot be written, the conversation goes on, reads run, and nothing is changed', async () => {
  const { session, settings, root, disk, logged } = await troubled('events.jsonl');
  await writeFile(join(root, 'a.txt'), 'a\n');
  const before = await logged();
  disk.fill();
  const model = new ScriptedModel(calls(1, read, write), says('I see.'));
  expect(await session.prompt('Go', settings(model))).toBe('done');
  expect(await logged()).toBe(before);
  expect(resultOf(session.events, 'call_1')).toMatchObject({ isError: false });
  expect(resultOf(session.events, 'call_2')).toMatchObject({
    isError: true,
    result: expect.stringMatching(/not run: the session’s log cannot be written \(ENOSPC/),
  });
  await expect(readFile(join(root, 'b.txt'))).rejects.toThrow('ENOENT');
  const told = session.events.filter((event) => event.type === 'error');
  expect(told, 'told once').toEqual([
    expect.objectContaining({ code: 'log', message: expect.stringContaining('continues in memory') }),
  ]);
  expectWellFormed(session.events);
});

test('what was held is written once there is space again, in order, and that is told', async () => {
  const { session, settings, store, disk, clock } = await troubled('events.jsonl');
  disk.fill();
  await session.prompt('Go', settings(new ScriptedModel(says('Here.'))));
  disk.mend();
  clock.advance(5_000);
  await until(() => session.events.at(-1)?.type === 'notice');
  expect(clock.sleeping).toBe(0);
  expect(session.events.at(-1)).toMatchObject({
    message: expect.stringContaining('can write the session log again'),
  });
  expect(await store.read(session.id)).toEqual(session.events);
  await session.close();
  const again = await store.open(session.id);
  expect(again.repairs, 'the chain is whole').toEqual([]);
  await again.close();
});

test('a session that is closed before its log can be written says so, and keeps what was there', async () => {
  const { session, openLog, settings, store, disk } = await troubled('events.jsonl');
  await session.prompt('First', settings(new ScriptedModel(says('Kept.'))));
  const kept = [...session.events];
  disk.fill();
  await session.prompt('Second', settings(new ScriptedModel(says('Lost.'))));
  await expect(session.close()).rejects.toThrow('could not be written');
  disk.mend();
  const again = await openLog(await store.open(session.id));
  expect(again.events).toEqual(kept);
  await again.close();
});

test('while the audit log cannot be written, reads run and nothing is changed; then it has every decision', async () => {
  const { session, settings, root, disk, ports } = await troubled('audit.jsonl');
  await writeFile(join(root, 'a.txt'), 'a\n');
  disk.fill();
  await session.prompt('Go', settings(new ScriptedModel(calls(1, read, write), says('I see.'))));
  expect(resultOf(session.events, 'call_1')).toMatchObject({ isError: false });
  expect(resultOf(session.events, 'call_2')).toMatchObject({
    isError: true,
    result: expect.stringContaining(
      'not run: the decision could not be written to the audit log (the disk is full',
    ),
  });
  await expect(readFile(join(root, 'b.txt'))).rejects.toThrow('ENOENT');
  expect(session.events.filter((event) => event.type === 'error')).toHaveLength(1);
  disk.mend();
  await session.prompt('Again', settings(new ScriptedModel(calls(3, write), says('Done.'))));
  expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('b\n');
  const audit = (await readFile(join(ports.home, 'audit.jsonl'), 'utf8')).trimEnd().split('\n');
  expect(audit.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual([
    'call_1',
    'call_2',
    'call_3',
  ]);
});

test('a session whose folder has become a file goes on in memory, and says why', async () => {
  const { session, settings, ports } = await troubled('events.jsonl');
  const folder = join(ports.home, 'sessions', session.id);
  await rm(folder, { recursive: true });
  await writeFile(folder, 'in the way');
  expect(await session.prompt('Go', settings(new ScriptedModel(says('Here.'))))).toBe('done');
  expect(session.events.find((event) => event.type === 'error')).toMatchObject({
    code: 'log',
    message: expect.stringContaining('a file exists where its folder should be'),
  });
});

const WRITES = /^(mkdir|writeFile|link|rename|handle\.write|handle\.writeFile|utimes)$/;

/** A home in which nothing can be written for now, and what lies in it. */
async function fullHome() {
  const place = await scenario({ mode: 'bypass' });
  await place.session.close();
  const sessions = join(place.ports.home, 'sessions');
  let isFull = true;
  const stop = watchFiles(place.ports.home, (operation, perform) => {
    if (isFull && WRITES.test(operation.name)) throw failure('write', operation.path);
    return perform();
  });
  onTestFinished(stop);
  const mend = () => {
    isFull = false;
  };
  return { ...place, mend, list: () => readdir(sessions, { recursive: true }) };
}

test.each(['new', 'earlier'])(
  'on a disk that is full from the start, a session (%s) goes on in memory and changes nothing; it is written later',
  async (which) => {
    const { openLog, store, session: earlier, root, settings, clock, mend, list } = await fullHome();
    await writeFile(join(root, 'a.txt'), 'a\n');
    const before = await list();
    const isNew = which === 'new';
    const log = isNew ? await store.create({ cwd: root, product: 'test' }) : await store.open(earlier.id);
    const session = await openLog(log);
    const model = new ScriptedModel(calls(1, read, write), says('I see.'));
    expect(await session.prompt('Go', settings(model))).toBe('done');
    expect(resultOf(session.events, 'call_1')).toMatchObject({ isError: false });
    expect(resultOf(session.events, 'call_2')).toMatchObject({ isError: true });
    await expect(readFile(join(root, 'b.txt'))).rejects.toThrow('ENOENT');
    expect(session.events.filter(({ type }) => type === 'error')).toContainEqual(
      expect.objectContaining({ code: 'log', message: expect.stringContaining('the disk is full (ENOSPC') }),
    );
    expect(await list(), 'nothing is left behind').toEqual(before);
    mend();
    clock.advance(5_000);
    await until(() => session.events.at(-1)?.type === 'notice');
    expect(await store.read(session.id)).toEqual(session.events);
    await session.close();
    expect((await store.open(session.id)).repairs).toEqual([]);
  },
);

test('a session that never got a line onto the disk says so when it is closed, and leaves nothing', async () => {
  const { openLog, store, root, settings, list } = await fullHome();
  const before = await list();
  const session = await openLog(await store.create({ cwd: root, product: 'test' }));
  await session.prompt('Go', settings(new ScriptedModel(says('Here.'))));
  await expect(session.close()).rejects.toThrow('The session log could not be written: the disk is full');
  expect(await list()).toEqual(before);
});

test('what a crash has cut off is mended before the first event that the disk takes again', async () => {
  const { store, session: earlier, ports, openLog, settings, clock, mend } = await fullHome();
  const path = join(ports.home, 'sessions', earlier.id, 'events.jsonl');
  await appendFile(path, '{"type":"user","content":"cut o');
  const session = await openLog(await store.open(earlier.id));
  await session.prompt('Go', settings(new ScriptedModel(says('Here.'))));
  mend();
  clock.advance(5_000);
  await until(() => session.events.at(-1)?.type === 'notice');
  await session.close();
  expect(session.events).toContainEqual(
    expect.objectContaining({ type: 'notice', message: expect.stringContaining('was cut off') }),
  );
  expect((await verifyLog(path)).problems).toEqual([]);
});

test('on a full disk, too, a session that another process writes is not opened', async () => {
  const { store, ports, session } = await fullHome();
  // The system's own calls: the disk has become full meanwhile.
  writeFileSync(join(ports.home, 'sessions', session.id, 'lock'), await craftedLock({}));
  await expect(store.open(session.id)).rejects.toBeInstanceOf(SessionBusyError);
});
