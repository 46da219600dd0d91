import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../extension/core/ports/manual-clock.ts';
import { cleanUp } from '../../../extension/node/clean-up.ts';
import { DeletedSessions } from '../../../extension/node/deleted-sessions.ts';
import { JsonlSessionStore } from '../../../extension/node/jsonl-session-store.ts';
import { planCleanup } from '../../../extension/node/plan-cleanup.ts';
import { logOf, recordingOf } from '../../../extension/node/session-files.ts';
import { measureStorage, type StorageUse, totalOf } from '../../../extension/node/storage-use.ts';
import { verifySession } from '../../../extension/node/verify-session.ts';
import { tempDir } from '../../support/temp-dir.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = 1_000 * DAY;

function use(id: string, days: number, sizes: Partial<StorageUse> = {}): StorageUse {
  const session = { id, title: id, cwd: '/', updated: NOW - days * DAY, prompts: 1, state: 'idle' } as const;
  return { session, log: 10, versions: 0, recording: 0, ...sizes };
}
const plan = (uses: readonly StorageUse[], days: number, bytes: number, kept: readonly string[] = []) =>
  planCleanup(uses, { days, bytes }, NOW, (id) => kept.includes(id)).map(
    (step) => `${step.what} ${step.use.session.id}`,
  );

test('without limits, and within them, nothing goes', () => {
  const uses = [use('a', 900, { versions: 1_000_000 })];
  expect(plan(uses, 0, 0)).toEqual([]);
  expect(plan(uses, 1_000, 2_000_000)).toEqual([]);
});

test('what undo needs goes before whole sessions, the oldest first, and only as much as is too much', () => {
  const uses = [
    use('young', 0.5, { versions: 500 }),
    use('open', 50, { versions: 500 }),
    use('old', 40, { versions: 100, recording: 100 }),
    use('older', 60, { recording: 100 }),
  ];
  expect(plan(uses, 0, 1_250, ['open'])).toEqual(['versions older']);
  expect(plan(uses, 0, 1_050, ['open'])).toEqual(['versions older', 'versions old']);
  expect(plan(uses, 0, 1, ['open'])).toEqual(['session older', 'session old']);
  expect(plan(uses, 0, 1_035, ['open'])).toEqual(['versions old', 'session older']);
});

test('what is too old goes whole', () => {
  const uses = [use('a', 31, { versions: 5 }), use('b', 29), use('c', 400), use('d', 400)];
  expect(plan(uses, 30, 0, ['d'])).toEqual(['session c', 'session a']);
});

test('whatever there is: none that is young or open is touched, and no more goes than has to', () => {
  const size = fc.nat(1_000);
  const some = fc.array(
    fc.record({ days: fc.nat(100), log: size, versions: size, recording: size, isKept: fc.boolean() }),
  );
  fc.assert(
    fc.property(some, fc.nat(5_000), (all, bytes) => {
      const uses = all.map((one, index) => use(String(index), one.days, one));
      const steps = planCleanup(uses, { days: 0, bytes }, NOW, (id) => all[Number(id)]?.isKept === true);
      for (const step of steps) expect(all[Number(step.use.session.id)]).toMatchObject({ isKept: false });
      for (const step of steps) expect(NOW - step.use.session.updated).toBeGreaterThan(DAY);
      const total = uses.map(totalOf).reduce((sum, one) => sum + one, 0);
      const freed = steps.slice(0, -1).reduce((sum, step) => sum + step.bytes, 0);
      if (steps.length > 0) expect(total - freed).toBeGreaterThan(bytes);
    }),
  );
});

/** Sessions with a version of a file and a recording, used so many days ago. */
async function sessions(...days: readonly number[]) {
  const root = await tempDir();
  const ids: string[] = [];
  for (const ago of days) {
    const log = await new JsonlSessionStore(root, new ManualClock(NOW - ago * DAY)).create({
      cwd: '/',
      product: 't',
    });
    await log.append([{ type: 'user', content: `from ${ago}` }]);
    const hash = await log.blobs.put(Buffer.from('x'.repeat(500)));
    const state = { kind: 'file', hash, size: 500, mode: 0o644 } as const;
    await log.append([{ type: 'checkpoint', id: 'c', files: [{ path: '/a', state }] }]);
    await log.close();
    await writeFile(recordingOf(root, log.id), 'r'.repeat(1_000));
    ids.push(log.id);
  }
  const clock = new ManualClock(NOW);
  const place = { root, clock, deleted: new DeletedSessions(root, clock), isOpen: () => false };
  return { root, ids, place, store: new JsonlSessionStore(root, clock) };
}

test('a session whose versions are dropped says so, stays sound and stays as old as it was', async () => {
  const { root, ids, place, store } = await sessions(40, 20);
  const [old = '', other = ''] = ids;
  const uses = await measureStorage(root, await store.list());
  const total = uses.map(totalOf).reduce((sum, one) => sum + one, 0);
  const done = await cleanUp(place, { days: 0, bytes: total - 1 });
  expect(done).toMatchObject([{ what: 'versions', use: { session: { id: old } } }]);
  expect(await readdir(join(root, old))).toEqual(['events.jsonl']);
  expect(await verifySession(root, old)).toMatchObject({ versions: 0, problems: [] });
  expect((await store.read(old)).at(-1)).toMatchObject({
    type: 'notice',
    message: expect.stringContaining('cannot be undone'),
  });
  expect((await store.list()).map(({ id, updated }) => [id, updated])).toEqual([
    [other, NOW - 20 * DAY],
    [old, NOW - 40 * DAY],
  ]);
  expect((await stat(recordingOf(root, other))).size).toBe(1_000);
});

test('a deleted one can be brought back, and one that is being written is left alone', async () => {
  const { root, ids, place, store } = await sessions(40, 50);
  const [old = '', busy = ''] = ids;
  const writer = await store.open(busy);
  const done = await cleanUp(place, { days: 30, bytes: 0 });
  await writer.close();
  expect(done.map(({ use: { session } }) => session.id)).toEqual([old]);
  await place.deleted.restore(old);
  expect(await readFile(logOf(root, old), 'utf8')).toContain('from 40');
});
