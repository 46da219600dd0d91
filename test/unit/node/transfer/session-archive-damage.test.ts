// What was damaged or lost, and how it goes to another machine and comes back.
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { SessionBusyError } from '../../../../extension/core/ports/session-store.ts';
import { SecretFilter } from '../../../../extension/core/secrets/secret-filter.ts';
import { lockOf, logOf, recordingOf } from '../../../../extension/node/log/session-files.ts';
import { verifyLog } from '../../../../extension/node/log/verify-log.ts';
import { RecordingOnDisk } from '../../../../extension/node/recording/recording-on-disk.ts';
import { lockSession } from '../../../../extension/node/sessions/session-lock.ts';
import { exportSession } from '../../../../extension/node/transfer/export-session.ts';
import { verifySession } from '../../../../extension/node/transfer/verify-session.ts';
import { machine, RECORDING, session } from '../../../support/machine.ts';
import { storedRecording } from '../../../support/stored-recording.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('of an empty log, which names no folder, none is told where it is imported', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id } = await session(here);
  await writeFile(logOf(here.root, id), '');
  await there.import((await here.export(id)).path);
  const notices = (await there.store.read(id)).map((event) => (event.type === 'notice' ? event.message : ''));
  expect(notices.join()).toContain('imported from a file. Its earlier changes');
});

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
    expect(notices[0]).toMatchObject({ message: expect.stringContaining('Do not rely on its contents') });
    expect(notices.slice(1).map(({ message }) => message)).not.toContain(expect.stringContaining('rely'));
  }
});

test('a log whose last line feed is missing has lost nothing, and goes as it is', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id } = await session(here);
  await writeFile(logOf(here.root, id), (await readFile(logOf(here.root, id), 'utf8')).trimEnd());
  expect(await there.import((await here.export(id)).path)).toMatchObject({ events: 3, isDamaged: false });
});

test('a damaged end is no record that is being written: what is intact goes, and it is told', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id } = await session(here, { type: 'user', content: 'Good' }, { type: 'text', content: 'Yes' });
  const log = await readFile(logOf(here.root, id));
  const last = log.lastIndexOf('\n', -2) + 1;
  await writeFile(logOf(here.root, id), Buffer.from(log).fill(0, last));
  expect(await there.import((await here.export(id)).path)).toMatchObject({ isDamaged: true });
  const joined = Buffer.concat([log.subarray(0, last - 1), log.subarray(last, -10)]);
  await writeFile(logOf(here.root, id), joined);
  const further = await machine();
  expect(await further.import((await here.export(id)).path)).toMatchObject({ isDamaged: true });
  const prompts = (await further.store.read(id)).filter(({ type }) => type === 'user');
  expect(prompts.at(-1)).toMatchObject({ content: 'Good' });
});

test('a recording of which one bit is wrong is left out, and the session goes all the same', async () => {
  const { sessions, id } = await storedRecording();
  const text = await readFile(recordingOf(sessions, id), 'utf8');
  await writeFile(recordingOf(sessions, id), text.replace('"$utf8"', '"$utf9"'));
  const file = join(await tempDir(), 'exported.harness-session');
  const place = { root: sessions, id, secrets: new SecretFilter(), product: 'test' };
  expect(await exportSession(place, file)).toMatchObject({ hasRecording: false, isRecordingWithheld: true });
});

/** As a loss of power leaves it. */
const ZEROS = '\0'.repeat(RECORDING.length - 1);

test.each([
  ['nothing but zeros', ZEROS],
  ['nothing', ''],
])('a recording of which a loss of power has left %s comes back from a file', async (_what, left) => {
  const here = await machine();
  const { id } = await session(here);
  const { path } = await here.export(id);
  await writeFile(recordingOf(here.root, id), left);
  expect(await here.import(path)).toMatchObject({ as: 'here', recovered: 1 });
  expect(await readFile(recordingOf(here.root, id), 'utf8')).toBe(RECORDING);
  const goesOn = `${left}\n${RECORDING}{"kind":"later"}\n`;
  await writeFile(recordingOf(here.root, id), goesOn);
  expect(await here.import(path)).toMatchObject({ as: 'here', recovered: 0 });
  expect(await readFile(recordingOf(here.root, id), 'utf8'), 'what was recorded since stays').toBe(goesOn);
});

test('that a recording in the file is none is told, and the rest is brought in', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id } = await session(here);
  const { path } = await here.export(id);
  const text = gunzipSync(await readFile(path)).toString();
  await writeFile(path, gzipSync(text.replace(RECORDING.trimEnd(), ZEROS)));
  expect(await there.import(path)).toMatchObject({ as: 'itself', events: 3, isRecordingLost: true });
  expect(await verifySession(there.root, id)).toMatchObject({ problems: [], recording: undefined });
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

test('what is there and cannot be read is neither lost nor a secret', async () => {
  const here = await machine();
  const { id, hash, image } = await session(here);
  for (const path of [join(here.root, id, 'blobs', hash), join(here.root, image)]) {
    await rm(path);
    await symlink(path, path);
  }
  const none = { versions: 0, images: 0, missing: 0, isRecordingWithheld: false };
  expect((await here.export(id)).summary).toMatchObject({ ...none, unread: 2, hasRecording: true });
  const tooMany = Object.assign(new Error('EMFILE: too many open files'), {
    code: 'EMFILE',
    syscall: 'open',
  });
  vi.spyOn(RecordingOnDisk, 'open').mockRejectedValueOnce(tooMany);
  expect((await here.export(id)).summary).toMatchObject({ ...none, unread: 3, hasRecording: false });
});

test('a session that has lost its log gets it back from a file, beside what is left of it', async () => {
  const here = await machine();
  const { id, hash } = await session(here);
  const { path } = await here.export(id);
  await rm(logOf(here.root, id));
  await rm(join(here.root, id, 'blobs', hash));
  const draft = join(here.root, id, 'draft.json');
  await writeFile(draft, '{"text":"typed"}');
  const lock = await lockSession(lockOf(here.root, id));
  await expect(here.import(path)).rejects.toBeInstanceOf(SessionBusyError);
  await lock.release();
  expect(await here.import(path)).toMatchObject({ id, as: 'itself', events: 3, recovered: 1 });
  expect((await verifySession(here.root, id)).problems).toEqual([]);
  expect(await readFile(draft, 'utf8')).toBe('{"text":"typed"}');
  expect((await here.store.read(id)).map(({ type }) => type).slice(3)).toEqual(['imported', 'notice']);
  expect(await here.names()).toEqual([id, 'attachments']);
});

test('a file is imported once, also where its session gets another name here', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id } = await session(here);
  const { path } = await here.export(id);
  await there.import(path);
  const further = await there.export(id);
  const first = await here.import(further.path);
  expect(first).toMatchObject({ as: 'copy', events: 5 });
  expect(await here.import(further.path)).toMatchObject({ id: first.id, as: 'here' });
  await rm(join(here.root, first.id, 'blobs'), { recursive: true });
  expect(await here.import(further.path)).toMatchObject({ id: first.id, as: 'here', recovered: 1 });
  const log = await readFile(logOf(here.root, first.id), 'utf8');
  await writeFile(logOf(here.root, first.id), log.replace('Look', 'Lock'));
  const second = await here.import(further.path);
  expect(second).toMatchObject({ as: 'copy' });
  expect(new Set([id, first.id, second.id]).size).toBe(3);
  expect((await verifySession(here.root, second.id)).problems).toEqual([]);
});

test.each([false, true])(
  'a copy of a session’s folder, under another name, goes there too; gone on with: %s',
  async (isGoneOn) => {
    const [here, there] = [await machine(), await machine()];
    const { id } = await session(here);
    const other = '20240101000000-aaaabbbb';
    await cp(join(here.root, id), join(here.root, other), { recursive: true });
    if (isGoneOn) {
      const log = await here.store.open(other);
      await log.append([{ type: 'user', content: 'more' }]);
      await log.close();
    }
    const { path, summary } = await here.export(other);
    expect(summary).toMatchObject({ isRepaired: false, missing: 0, hasRecording: true });
    const events = isGoneOn ? 4 : 3;
    expect(await there.import(path)).toMatchObject({ id: other, as: 'itself', events, isDamaged: false });
    expect((await verifySession(there.root, other)).problems).toEqual([]);
  },
);
