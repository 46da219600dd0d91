import { access, cp, mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { SessionBusyError } from '../../../../extension/core/ports/session-store.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { AttachmentFiles } from '../../../../extension/node/composer/attachment-files.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import { DeletedSessions } from '../../../../extension/node/storage/deleted-sessions.ts';
import { pngOf } from '../../../support/images.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const stuck = vi.hoisted(() => ({ below: 'nothing' }));
vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>();
  const rm: typeof actual.rm = async (path, options) => {
    if (String(path).includes(stuck.below)) throw new Error(`EPERM: ${path}`);
    await actual.rm(path, options);
  };
  return { ...actual, rm };
});

const DAY_MS = 24 * 60 * 60 * 1000;

async function storeWith(prompt: string) {
  const root = await tempDir();
  const clock = new ManualClock(1_700_000_000_000);
  const store = new JsonlSessionStore(root, clock);
  const log = await store.create({ cwd: '/repo', product: 'test' });
  await log.append([{ type: 'user', content: prompt }]);
  return { root, clock, store, log, deleted: new DeletedSessions(root, clock) };
}

test('a deleted session is in no list and cannot be opened; brought back it is as it was', async () => {
  const { root, store, log, deleted } = await storeWith('one');
  await log.close();
  const before = await store.list();
  const events = await store.read(log.id);
  await deleted.remove(log.id);
  expect(await store.list()).toEqual([]);
  await expect(store.open(log.id)).rejects.toThrow('does not exist');
  await deleted.restore(log.id);
  expect(await store.list()).toEqual(before);
  expect(await store.read(log.id)).toEqual(events);
  expect(await readdir(join(root, log.id))).toEqual(['events.jsonl']);
  await (await store.open(log.id)).close();
});

test('where its lock stays there, a session is deleted for its 30 days all the same, and can be brought back', async () => {
  const { root, clock, store, log, deleted } = await storeWith('one');
  await log.close();
  clock.advance(2 * (Date.now() - clock.now()));
  stuck.below = join(root, 'deleted', log.id);
  await deleted.remove(log.id).finally(() => {
    stuck.below = 'nothing';
  });
  expect(await store.list()).toEqual([]);
  await deleted.purge();
  await deleted.restore(log.id);
  await (await store.open(log.id)).close();
});

test('a session that was deleted before and has come back can be deleted again; the newest one is brought back', async () => {
  const { root, clock, log, deleted } = await storeWith('one');
  await log.close();
  await cp(join(root, log.id), join(root, 'copy'), { recursive: true });
  await deleted.remove(log.id);
  await rename(join(root, 'copy'), join(root, log.id));
  await writeFile(join(root, log.id, 'newer'), '');
  await deleted.remove(log.id);
  expect((await readdir(join(root, 'deleted'))).sort()).toEqual([log.id, `${log.id}-${clock.now()}`]);
  await deleted.restore(log.id);
  expect(await readdir(join(root, log.id))).toContain('newer');
});

test('what somebody writes is not deleted', async () => {
  const { store, log, deleted } = await storeWith('one');
  await expect(deleted.remove(log.id)).rejects.toBeInstanceOf(SessionBusyError);
  await log.append([{ type: 'user', content: 'two' }]);
  expect(await store.list()).toMatchObject([{ prompts: 2 }]);
  await log.close();
});

test.each(['missing', '../x', '', 'deleted'])(
  'there is no session “%s” to delete or bring back',
  async (id) => {
    const { log, deleted } = await storeWith('one');
    await log.close();
    await expect(deleted.remove(id)).rejects.toThrow('does not exist');
    await expect(deleted.restore(id)).rejects.toThrow('permanently deleted');
  },
);

test('after 30 days it is gone for good, and not before', async () => {
  const { root, clock, store, log, deleted } = await storeWith('one');
  await log.close();
  await deleted.purge();
  await deleted.remove(log.id);
  clock.advance(29 * DAY_MS);
  await deleted.purge();
  await access(join(root, 'deleted', log.id));
  clock.advance(2 * DAY_MS);
  await deleted.purge();
  await expect(deleted.restore(log.id)).rejects.toThrow('permanently deleted');
  expect(await store.list()).toEqual([]);
});

test('with a session that is gone for good go the images that nothing else names', async () => {
  const { root, clock, store, log, deleted } = await storeWith('one');
  const files = new AttachmentFiles(root);
  const names: string[] = [];
  for (let side = 1; side <= 7; side += 1) names.push(await files.keep(pngOf(side, side), 'a.png'));
  const [only = '', forked = '', queued = '', typed = '', next = '', kept = '', young = ''] = names;
  for (const name of names.slice(0, -1)) await utimes(join(root, name), new Date(0), new Date(0));
  const [first] = await log.append([{ type: 'user', content: 'two', attachments: [forked] }]);
  await log.append([
    { type: 'user', content: 'three', attachments: [only, queued, typed, next, kept, young] },
  ]);
  await log.close();
  const fork = await store.fork(log.id, (first?.seq ?? 0) + 1, { cwd: '/repo', product: 'test' });
  await fork.close();
  await writeFile(
    join(root, fork.id, 'queue.json'),
    JSON.stringify([{ text: '', attachments: [{ name: queued }] }]),
  );
  await writeFile(join(root, fork.id, 'draft.json'), `${'x'.repeat(65_500)}${typed}`);
  await mkdir(join(root, 'next-drafts'));
  await writeFile(join(root, 'next-drafts', 'a.json'), next);
  await deleted.remove(log.id);
  clock.advance(29 * DAY_MS);
  const other = await store.create({ cwd: '/repo', product: 'test' });
  await other.append([{ type: 'user', content: 'four', attachments: [kept] }]);
  await other.close();
  await deleted.remove(other.id);
  clock.advance(2 * DAY_MS);
  await deleted.purge();
  const left = (await readdir(join(root, 'attachments'))).map((name) => `attachments/${name}`);
  expect(left.sort()).toEqual([forked, queued, typed, next, kept, young].sort());
  clock.advance(40 * DAY_MS);
  await deleted.purge();
  expect(await files.read(kept)).toBeUndefined();
  expect(await files.read(forked)).toBeDefined();
});
