// A log that was kept beside that of its session, since somebody else has gone on with it, is brought back as a session.
import { appendFile, cp, readdir, readFile, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { verifySession } from '../../../../extension/node/transfer/verify-session.ts';
import { machine, session } from '../../../support/machine.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** A session that another process has gone on with, from a backup, and the file in which is kept what was said here. */
async function taken() {
  const here = await machine();
  const { id, hash } = await session(here);
  const folder = join(here.root, id);
  const backup = join(await tempDir(), 'backup');
  await cp(folder, backup, { recursive: true });
  const log = await here.store.open(id);
  await log.append([{ type: 'user', content: 'said in vain' }]);
  await rm(folder, { recursive: true });
  await rename(backup, folder);
  // The lock is looked at again.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 });
  onTestFinished(() => void vi.useRealTimers());
  const other = await here.store.open(id);
  await other.append([{ type: 'user', content: 'of the other' }]);
  await other.close();
  await log.append([{ type: 'user', content: 'and this' }]);
  await expect(log.close()).rejects.toThrow('this conversation is saved as');
  const [name = ''] = (await readdir(folder)).filter((each) => each.includes('.lost-'));
  return { here, id, hash, kept: join(folder, name) };
}

test('what another process left no place for is a session again, with its versions and images', async () => {
  const { here, id, hash, kept } = await taken();
  const imported = await here.import(kept, '/here');
  expect(imported).toMatchObject({ as: 'copy', events: 5, isDamaged: false });
  expect(imported.id).not.toBe(id);
  const said = (await here.store.read(imported.id)).flatMap((event) =>
    event.type === 'user' ? [event.content] : [],
  );
  expect(said).toEqual(['Look ✓', 'said in vain', 'and this']);
  expect(Buffer.from(await here.store.blobs(imported.id).get(hash)).toString()).toBe('old text');
  expect((await verifySession(here.root, imported.id)).problems).toEqual([]);
  expect(await here.import(kept)).toMatchObject({ id: imported.id, as: 'here', recovered: 0 });
});

test.each([
  ['of which the last record was not ended', (text: string) => text.length - 1, 5],
  ['that ends within a record', (text: string) => text.length - 20, 4],
])('also one %s', async (_what, cutTo, events) => {
  const { here, kept } = await taken();
  await truncate(kept, cutTo(await readFile(kept, 'latin1')));
  const { id } = await here.import(kept);
  expect(await verifySession(here.root, id)).toMatchObject({ events: events + 2, problems: [] });
});

test('one that was changed is refused, with its place, and nothing of it is there', async () => {
  const { here, kept } = await taken();
  const before = await here.names();
  await appendFile(kept, '{"type":"user"}\n');
  await expect(here.import(kept)).rejects.toThrow('damaged on line 6');
  expect(await here.names()).toEqual(before);
});
