// Going back in a session that began as a part of another one: a fork, an import.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restorePointsOf } from '../../extension/core/checkpoints/restore-points.ts';
import { undoStackOf } from '../../extension/core/checkpoints/undo-stack.ts';
import { SecretFilter } from '../../extension/core/secrets/secret-filter.ts';
import type { Session } from '../../extension/core/session/session.ts';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { exportSession } from '../../extension/node/transfer/export-session.ts';
import { importSession } from '../../extension/node/transfer/import-session.ts';
import { recordedSession } from '../support/recorded.ts';
import { threeRuns, write } from '../support/undo-desk.ts';

async function restoreTo(session: Session, to: number, redoes?: string): Promise<readonly string[]> {
  const plan = await session.planRestore(to);
  const files = await session.restore({ to, plan, choices: new Map(), redoes });
  return files.map(({ outcome }) => outcome);
}

const promptAt = (session: Session, nth: number) =>
  session.events.filter(({ type }) => type === 'user')[nth]?.seq ?? 0;

test('in a fork, each prompt that it took over can be gone back to, and back again', async () => {
  const { session, store, ports, root, read, put } = await threeRuns();
  const start = { cwd: root, product: 'test' };
  const fork = await recordedSession(
    await store.fork(session.id, session.events.length + 1, start),
    ports,
    join(ports.home, 'sessions'),
  );
  expect(undoStackOf(fork.events).undoTo).toBe(undoStackOf(session.events).undoTo);
  expect(await restoreTo(fork, promptAt(fork, 1) - 1)).toEqual(['identical']);
  expect(await read('a.txt')).toBe('1');
  const { redo } = undoStackOf(fork.events);
  expect(await restoreTo(fork, redo?.to ?? 0, redo?.restored.id)).toEqual(['identical']);
  expect(await read('a.txt')).toBe('3');
  await put('a.txt', 'mine');
  expect(await restoreTo(fork, promptAt(fork, 0) - 1)).toEqual(['kept']);
  await fork.close();
});

test('in a fork from the middle, what the first session did later is left alone', async () => {
  const { session, store, ports, root, read } = await threeRuns();
  const start = { cwd: root, product: 'test' };
  const fork = await recordedSession(
    await store.fork(session.id, promptAt(session, 2), start),
    ports,
    join(ports.home, 'sessions'),
  );
  expect(await restoreTo(fork, promptAt(fork, 0) - 1)).toEqual(['kept']);
  expect(await read('a.txt')).toBe('3');
  await fork.close();
});

test('a fork that was cut in the middle of a restore says nothing of what is on the disk', async () => {
  const { session, store, ports, root, undo } = await threeRuns();
  await undo();
  const checkpoint = session.events.findLast((event) => event.type === 'checkpoint')?.seq ?? 0;
  const start = { cwd: root, product: 'test' };
  const fork = await recordedSession(
    await store.fork(session.id, checkpoint + 1, start),
    ports,
    join(ports.home, 'sessions'),
  );
  expect(fork.events.filter(({ type }) => type === 'restored')).toEqual([]);
  await fork.close();
});

test.each(['in the same folder', 'in another folder'])(
  'what was done before an import %s is not undone',
  async (place) => {
    const { session, ports, clock, root, read, run, undo } = await threeRuns();
    await undo();
    await run(['read', { path: 'a.txt' }], write('b.txt', 'b'));
    await session.close();
    const [home, path] = [join(root, '../home'), join(root, '../session.harness')];
    const secrets = new SecretFilter();
    await exportSession({ root: join(home, 'sessions'), id: session.id, secrets, product: 'test' }, path);
    const target = { root: join(home, 'imported'), clock, cwd: place === 'in the same folder' ? root : home };
    const { id } = await importSession(target, path);
    const imported = await recordedSession(
      await new JsonlSessionStore(target.root, clock).open(id),
      ports,
      target.root,
    );
    expect(undoStackOf(imported.events)).toMatchObject({ undoTo: undefined, redo: undefined });
    expect(restorePointsOf(imported.events).filter(({ files }) => files > 0)).toEqual([]);
    expect(await restoreTo(imported, promptAt(imported, 1) - 1)).toEqual([]);
    expect([await read('a.txt'), await read('b.txt')]).toEqual(['2', 'b']);
    await imported.close();
  },
);
