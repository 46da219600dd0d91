import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { blobHashesIn } from '../../../../extension/core/checkpoints/blob-names.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { SecretFilter } from '../../../../extension/core/secrets/secret-filter.ts';
import { logOf, recordingOf } from '../../../../extension/node/log/session-files.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import { cleanUp } from '../../../../extension/node/storage/clean-up.ts';
import { DeletedSessions } from '../../../../extension/node/storage/deleted-sessions.ts';
import { planCleanup } from '../../../../extension/node/storage/plan-cleanup.ts';
import {
  measureStorage,
  type Storage,
  type StorageUse,
  sumOf,
  totalOf,
} from '../../../../extension/node/storage/storage-use.ts';
import { exportSession } from '../../../../extension/node/transfer/export-session.ts';
import { importSession } from '../../../../extension/node/transfer/import-session.ts';
import { verifySession } from '../../../../extension/node/transfer/verify-session.ts';
import { watchFiles } from '../../../support/files.ts';
import { RECORDING as HEADER_LINE } from '../../../support/machine.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** Of 1,000 bytes. */
const RECORDING = `${HEADER_LINE.trimEnd().padEnd(999)}\n`;
const DAY = 24 * 60 * 60 * 1000;
const NOW = 1_000 * DAY;

function use(id: string, days: number, sizes: Partial<StorageUse> = {}): StorageUse {
  const session = { id, title: id, cwd: '/', updated: NOW - days * DAY, prompts: 1, state: 'idle' } as const;
  return { session, log: 10, versions: 0, recording: 0, ...sizes };
}
const NOTHING = { deleted: [], images: 0 };
const planOf = (storage: Storage, days: number, bytes: number, kept: readonly string[] = []) =>
  planCleanup(storage, { days, bytes }, NOW, (id) => kept.includes(id)).map(
    ({ what, id }) => `${what} ${id}`,
  );
const plan = (sessions: readonly StorageUse[], days: number, bytes: number, kept: readonly string[] = []) =>
  planOf({ sessions, ...NOTHING }, days, bytes, kept);

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

test('images and deleted sessions count; deleted ones go first, those of the last day stay and are on their way out', () => {
  const sessions = [use('old', 40, { versions: 100 })];
  const deleted = [
    { name: 'just now', bytes: 5_000, since: NOW - DAY / 2 },
    { name: 'long ago', bytes: 300, since: NOW - 20 * DAY },
    { name: 'before', bytes: 200, since: NOW - 10 * DAY },
  ];
  const storage = { sessions, deleted, images: 1_000 };
  expect(planOf(storage, 0, 1_610)).toEqual([]);
  expect(planOf(storage, 0, 1_609)).toEqual(['deleted long ago']);
  expect(planOf(storage, 0, 1_200)).toEqual(['deleted long ago', 'deleted before']);
  expect(planOf(storage, 0, 1_050)).toEqual(['deleted long ago', 'deleted before', 'versions old']);
  expect(planOf(storage, 0, 1)).toEqual(['deleted long ago', 'deleted before', 'session old']);
});

test('whatever there is: none that is young or open is touched, and no more goes than has to', () => {
  const size = fc.nat(1_000);
  const some = fc.array(
    fc.record({ days: fc.nat(100), log: size, versions: size, recording: size, isKept: fc.boolean() }),
  );
  fc.assert(
    fc.property(some, fc.nat(5_000), (all, bytes) => {
      const uses = all.map((one, index) => use(String(index), one.days, one));
      const isKept = (id: string) => all[Number(id)]?.isKept === true;
      const steps = planCleanup({ sessions: uses, ...NOTHING }, { days: 0, bytes }, NOW, isKept);
      for (const { id, updated } of steps) {
        expect(isKept(id)).toBe(false);
        expect(NOW - updated).toBeGreaterThan(DAY);
      }
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
    await writeFile(recordingOf(root, log.id), RECORDING);
    ids.push(log.id);
  }
  const clock = new ManualClock(NOW);
  const place = { root, clock, deleted: new DeletedSessions(root, clock), isOpen: () => false };
  return { root, ids, place, store: new JsonlSessionStore(root, clock) };
}

test('a session whose versions are dropped says so, stays sound and stays as old as it was', async () => {
  const { root, ids, place, store } = await sessions(40, 20);
  const [old = '', other = ''] = ids;
  const total = sumOf(await measureStorage(root, await store.list()));
  const cleaned = await cleanUp(place, { days: 0, bytes: total - 1 });
  expect(cleaned).toMatchObject({ done: [{ what: 'versions', id: old }], problems: [] });
  expect(await readdir(join(root, old))).toEqual(['events.jsonl']);
  expect(await verifySession(root, old)).toMatchObject({ versions: 0, problems: [] });
  expect((await store.read(old)).at(-1)).toMatchObject({
    type: 'notice',
    message: expect.stringContaining('can no longer be undone'),
  });
  expect((await store.list()).map(({ id, updated }) => [id, updated])).toEqual([
    [other, NOW - 20 * DAY],
    [old, NOW - 40 * DAY],
  ]);
  expect((await stat(recordingOf(root, other))).size).toBe(1_000);
});

test('that a session cannot be undone any more is on the disk before its versions go', async () => {
  const { root, ids, place, store } = await sessions(40, 20);
  const [old = ''] = ids;
  const total = sumOf(await measureStorage(root, await store.list()));
  const steps: string[] = [];
  const stop = watchFiles(join(root, old), ({ name, path }, perform) => {
    steps.push(`${name} ${basename(path)}`);
    return perform();
  });
  await cleanUp(place, { days: 0, bytes: total - 1 });
  stop();
  const wanted = [
    'rm recording.jsonl',
    'handle.write events.jsonl',
    'handle.datasync events.jsonl',
    'rm blobs',
  ];
  expect(steps.filter((step) => wanted.includes(step))).toEqual(wanted);
});

test('a deleted one can be brought back, and one that is being written is left alone', async () => {
  const { root, ids, place, store } = await sessions(40, 50);
  const [old = '', busy = ''] = ids;
  const writer = await store.open(busy);
  const { done, problems } = await cleanUp(place, { days: 30, bytes: 0 });
  await writer.close();
  expect(done.map(({ id }) => id)).toEqual([old]);
  expect(problems).toEqual([]);
  await place.deleted.restore(old);
  expect(await readFile(logOf(root, old), 'utf8')).toContain('from 40');
});

test('one that was opened since it was looked at is left alone', async () => {
  const { root, ids, place } = await sessions(40, 50);
  const [opened = '', old = ''] = ids;
  const asked: string[] = [];
  const isOpen = (id: string) => asked.push(id) > ids.length && id === opened;
  const { done } = await cleanUp({ ...place, isOpen }, { days: 30, bytes: 0 });
  expect(done.map(({ id }) => id)).toEqual([old]);
  expect(await readFile(logOf(root, opened), 'utf8')).toContain('from 40');
});

test('where one session cannot be deleted, the others are, and what was done and what not is told', async () => {
  const { root, ids, place } = await sessions(60, 50, 40);
  const [broken = '', second = '', third = ''] = ids;
  const deleted = Object.assign(Object.create(place.deleted), {
    remove: (id: string) => (id === broken ? Promise.reject(new Error('EIO')) : place.deleted.remove(id)),
  });
  const { done, problems } = await cleanUp({ ...place, deleted }, { days: 30, bytes: 0 });
  expect(done.map(({ id }) => id)).toEqual([second, third]);
  expect(problems).toEqual([expect.stringMatching(`${broken}.*EIO`)]);
  expect((await readdir(join(root, 'deleted'))).sort()).toEqual([second, third].sort());
});

test('a deleted session goes for good where its room is needed, with its versions', async () => {
  const { root, ids, place, store } = await sessions(40, 20);
  const [old = '', other = ''] = ids;
  await place.deleted.remove(old);
  await utimes(join(root, 'deleted', old), new Date(NOW - 2 * DAY), new Date(NOW - 2 * DAY));
  const total = sumOf(await measureStorage(root, await store.list()));
  const { done } = await cleanUp(place, { days: 0, bytes: total - 1 });
  expect(done).toMatchObject([{ what: 'deleted', id: old, bytes: expect.any(Number) }]);
  expect(done[0]?.bytes).toBeGreaterThan(1_500);
  expect(await readdir(join(root, 'deleted'))).toEqual([]);
  expect((await stat(recordingOf(root, other))).size).toBe(1_000);
});

test('what was removed comes back from a file that was exported before, and leaves with the next one', async () => {
  const { root, ids, place, store } = await sessions(40);
  const [id = ''] = ids;
  const exported = (name: string) => {
    const path = join(root, name);
    const place = { root, id, secrets: new SecretFilter(), product: 'test' };
    return exportSession(place, path).then((summary) => ({ path, summary }));
  };
  const { path } = await exported('before');
  await cleanUp(place, { days: 0, bytes: 1_500 });
  expect(await readdir(join(root, id))).toEqual(['events.jsonl']);
  const imported = await importSession({ root, clock: place.clock, cwd: '/' }, path);
  expect(imported).toEqual({ id, as: 'here', events: 3, recovered: 2, isDamaged: false });
  const state = blobHashesIn(await store.read(id));
  for (const hash of state) expect((await store.blobs(id).get(hash)).length).toBe(500);
  expect((await exported('after')).summary).toMatchObject({ versions: 1, hasRecording: true, missing: 0 });
});
