// What was damaged or lost, and how it goes to another machine and comes back.
import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { logOf, recordingOf } from '../../../extension/node/session-files.ts';
import { verifyLog } from '../../../extension/node/verify-log.ts';
import { verifySession } from '../../../extension/node/verify-session.ts';
import { machine, RECORDING, session } from '../../support/machine.ts';

test('a log that was changed does not become sound by going to another machine, nor to a third one', async () => {
  const [here, there, further] = [await machine(), await machine(), await machine()];
  const never = { type: 'text', content: 'I shall never do that' } as const;
  const { id } = await session(here, never, { type: 'user', content: 'Good' });
  const log = await readFile(logOf(here.root, id), 'utf8');
  await writeFile(logOf(here.root, id), log.replace('never', 'gladly'));
  expect(await there.import((await here.export(id)).path)).toMatchObject({ as: 'itself', isDamaged: true });
  expect(await further.import((await there.export(id)).path)).toMatchObject({ isDamaged: false });
  for (const { root, store } of [there, further]) {
    expect((await verifyLog(logOf(root, id))).problems).toEqual([]);
    const { problems } = await verifySession(root, id);
    expect(problems).toEqual([
      {
        file: 'events.jsonl',
        line: 6,
        at: expect.any(Number),
        message: expect.stringContaining('was damaged'),
      },
    ]);
    const notices = (await store.read(id)).filter((event) => event.type === 'notice');
    expect(notices[0]).toMatchObject({ message: expect.stringContaining('Do not rely on what it says') });
    expect(notices.slice(1).map(({ message }) => message)).not.toContain(expect.stringContaining('rely'));
  }
});

test('what is more than an import takes is left out of the file, the oldest versions first, and it is told', async () => {
  const [here, there] = [await machine(), await machine()];
  const log = await here.store.create({ cwd: '/here', product: 'test' });
  const hashes: string[] = [];
  for (let index = 0; index < 5; index++) {
    const hash = await log.blobs.put(Buffer.alloc(3_000, index));
    const state = { kind: 'file', hash, size: 3_000, mode: 0o600 } as const;
    await log.append([{ type: 'checkpoint', id: `c${index}`, files: [{ path: '/here/a', state }] }]);
    hashes.push(hash);
  }
  await log.close();
  await writeFile(recordingOf(here.root, log.id), RECORDING);
  const { path, summary } = await here.export(log.id, 21_000);
  expect(summary).toMatchObject({ versions: 3, unfit: 2, missing: 0, hasRecording: true });
  expect(gunzipSync(await readFile(path)).length).toBeLessThan(21_000);
  await there.import(path);
  const kept = await Promise.all(hashes.map((hash) => there.store.blobs(log.id).has(hash)));
  expect(kept).toEqual([false, false, true, true, true]);
  await expect(here.export(log.id, 1_000)).rejects.toThrow('larger than');
});
