// A log that somebody else writes, replaces or cuts while its session is open.
import { copyFile, cp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ABSENT_STATE } from '../../../../extension/core/checkpoints/file-state.ts';
import type { SessionLog } from '../../../../extension/core/ports/session-store.ts';
import { AppendFile } from '../../../../extension/node/fs/append-file.ts';
import { verifyLog } from '../../../../extension/node/log/verify-log.ts';
import { verifySession } from '../../../../extension/node/transfer/verify-session.ts';
import type { FileState, SessionEvent } from '../../../../extension/protocol/events.ts';
import { logWith } from '../../../support/stored-log.ts';
import { tempDir } from '../../../support/temp-dir.ts';

let isFull = false;

vi.mock('../../../../extension/node/fs/replace-file.ts', async (original) => {
  const { replaceFile } = await original<typeof import('../../../../extension/node/fs/replace-file.ts')>();
  const tried: typeof replaceFile = (path, text) =>
    isFull
      ? Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
      : replaceFile(path, text);
  return { replaceFile: tried };
});

const prompt = (content: string) => ({ type: 'user', content }) as const;
const saidIn = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'user' ? [event.content] : []));
const noticesIn = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));

test('a log that another file replaces while it is open loses nothing: that one is set aside, and it is told', async () => {
  const { store, id, path } = await logWith(['one']);
  const log = await store.open(id);
  await log.append([prompt('two')]);
  await copyFile(path, `${path}.new`);
  await log.append([prompt('three')]);
  await rename(`${path}.new`, path);
  const other = await readFile(path);
  await log.append([prompt('four')]);
  await log.append([prompt('five')]);
  await log.close();
  expect((await verifyLog(path)).problems).toEqual([]);
  const events = await store.read(id);
  expect(saidIn(events)).toEqual(['one', 'two', 'three', 'four', 'five']);
  const [aside = '', ...more] = (await readdir(dirname(path))).filter((name) => name.includes('replaced'));
  expect(more).toEqual([]);
  expect(await readFile(`${dirname(path)}/${aside}`)).toEqual(other);
  expect(noticesIn(events)).toEqual([expect.stringContaining(`kept the other file as ${aside}`)]);
});

test.each([
  ['within a record', (size: number) => size - 20],
  ['to nothing', () => 0],
])('a log that is cut %s while it is open goes on with whole records, and it is told', async (_, cutTo) => {
  const { store, id, path } = await logWith(['one', 'two']);
  const log = await store.open(id);
  await truncate(path, cutTo((await readFile(path)).length));
  await log.append([prompt('three')]);
  await log.append([prompt('four')]);
  await log.close();
  const again = await store.open(id);
  expect(again.repairs, 'it was told already').toEqual([]);
  await again.close();
  expect(again.past[0]?.type).toBe('session_started');
  expect(saidIn(again.past).slice(-2)).toEqual(['three', 'four']);
  expect(noticesIn(again.past)).toContain(
    'Another program overwrote this session’s log while it was open. The missing records are lost.',
  );
});

test.each(['replaced', 'shortened'])(
  'a file that may not be written by now is left as it is where it was %s',
  async (how) => {
    const { path } = await logWith([]);
    let mayWrite = true;
    const asked = () => (mayWrite ? undefined : Promise.reject(new Error('another process has it')));
    const file = new AppendFile(path, { mayWrite: asked });
    await file.append('ours\n');
    await writeFile(`${path}.new`, 'x\n');
    if (how === 'replaced') await rename(`${path}.new`, path);
    else await writeFile(path, 'x\n');
    mayWrite = false;
    await expect(file.append('next\n')).rejects.toThrow('another process has it');
    expect(await readFile(path, 'utf8')).toBe('x\n');
    await expect(file.close()).rejects.toThrow();
  },
);

test('a shared file that is replaced goes on in the one that is there', async () => {
  const { path } = await logWith([]);
  const file = new AppendFile(path, { shared: true });
  onTestFinished(() => file.close());
  await file.append('ours\n');
  await writeFile(`${path}.new`, 'theirs\n');
  await rename(`${path}.new`, path);
  await file.append('next\n');
  expect(await readFile(path, 'utf8')).toBe('theirs\nnext\n');
});

/** A session whose folder was replaced by the backup that was made of it when only this was said. */
async function restoredOverOpen(
  saved: readonly string[],
  meanwhile: (log: SessionLog) => Promise<void> = async () => {},
) {
  const { root, store, id, path } = await logWith(saved);
  const folder = dirname(path);
  const backup = `${root}/../${id}-backup`;
  await cp(folder, backup, { recursive: true });
  const log = await store.open(id);
  for (const content of ['two', 'three']) await log.append([prompt(content)]);
  await meanwhile(log);
  await log.sync();
  await rm(folder, { recursive: true });
  await rename(backup, folder);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 });
  onTestFinished(() => void vi.useRealTimers());
  return { store, id, path, log, names: () => readdir(folder) };
}

test('a session whose folder is put back from a backup while it is open loses nothing', async () => {
  const { store, id, path, log, names } = await restoredOverOpen(['one']);
  await log.append([prompt('four')]);
  await log.append([prompt('five')]);
  expect(log.trouble).toBeUndefined();
  await log.close();
  expect((await verifyLog(path)).problems).toEqual([]);
  const events = await store.read(id);
  expect(saidIn(events)).toEqual(['one', 'two', 'three', 'four', 'five']);
  expect(noticesIn(events)).toEqual([expect.stringContaining('Another file replaced')]);
  expect((await names()).filter((name) => name.includes('.replaced-'))).toHaveLength(1);
});

/** More than is kept in memory of versions of files. */
const LARGE = 9_000_000;

/** Of what a request began with: no version of a file. */
const LOST_PREFIX = 'f'.repeat(64);

/** Files of a workspace of which all versions were kept: one that only lies there, one that is in memory, one that is neither. */
async function changedFiles() {
  const folder = await tempDir();
  const write = async (log: SessionLog, name: string, texts: readonly string[]) => {
    const path = join(folder, name);
    const states: FileState[] = [];
    for (const text of texts) {
      await writeFile(path, text);
      const hash = await log.blobs.put(Buffer.from(text));
      states.push({ kind: 'file', hash, size: text.length, mode: 0o644 });
    }
    const [before = ABSENT_STATE, after = ABSENT_STATE] = states;
    await log.append([{ type: 'files_changed', id: name, by: 'tool', changes: [{ path, before, after }] }]);
    return states.map((state) => (state.kind === 'file' ? state.hash : ''));
  };
  const hashes: string[] = [];
  return {
    hashes,
    change: async (log: SessionLog) => {
      hashes.push(...(await write(log, 'a.txt', ['gone for good', 'still there'])));
      hashes.push(...(await write(log, 'large.bin', ['x'.repeat(LARGE), 'y'.repeat(LARGE)])));
      hashes.push(...(await write(log, 'b.txt', ['in memory', 'in both'])));
      await rm(join(folder, 'large.bin'));
      await log.append([
        { type: 'request_started', request: 1, provider: 'p', model: 'm', prefix: LOST_PREFIX },
      ]);
    },
  };
}

test.each(['put back from a backup', 'removed'])(
  'of a session whose folder is %s while it is open, the versions of files that can be had again are, and the others told',
  async (how) => {
    const { change, hashes } = await changedFiles();
    const { store, id, path, log } = await restoredOverOpen(['one'], change);
    if (how === 'removed') await rm(dirname(path), { recursive: true });
    await log.append([prompt('four')]);
    await log.close();
    const { problems } = await verifySession(dirname(dirname(path)), id);
    const [first, , third, fourth] = hashes;
    const lost = [first, third, fourth, LOST_PREFIX];
    expect(problems.map(({ file }) => file)).toEqual(lost.map((hash) => `blobs/${hash}`));
    expect(noticesIn(await store.read(id)).slice(1)).toEqual([
      'Stored file versions of this session are lost (3). Changes that need them cannot be undone.',
    ]);
  },
);

test('what another one has gone on with gets the versions of files back that this one knows', async () => {
  const { change, hashes } = await changedFiles();
  const { store, id, path, log } = await restoredOverOpen(['one'], change);
  const other = await store.open(id);
  onTestFinished(() => other.close());
  await log.append([prompt('four')]);
  await expect(log.close()).rejects.toThrow('This conversation is saved as');
  const blobs = store.blobs(id);
  expect(await Promise.all(hashes.map((hash) => blobs.has(hash)))).toEqual([
    false,
    true,
    false,
    false,
    true,
    true,
  ]);
  expect((await keptAside(path)).map(({ said }) => said)).toEqual([['one', 'two', 'three', 'four']]);
});

/** What was said in each file beside the log that holds what a session has said to no avail. */
async function keptAside(path: string) {
  const names = (await readdir(dirname(path))).filter((name) => name.includes('.lost-'));
  const kept = names.map(async (name) => {
    const file = `${dirname(path)}/${name}`;
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const said = saidIn(lines.map((line) => JSON.parse(line) as SessionEvent));
    return { name, said, problems: (await verifyLog(file)).problems };
  });
  return Promise.all(kept);
}

test('where another one has gone on with the backup, both are kept, and it is said where', async () => {
  const { store, id, path, log } = await restoredOverOpen(['one']);
  const other = await store.open(id);
  await other.append([prompt('other')]);
  await other.close();
  await log.append([prompt('four')]);
  expect(log.trouble).toContain('continued an earlier state of this session');
  const [{ name = '' } = {}] = await keptAside(path);
  expect(log.trouble).toContain(name);
  await expect(log.sync(), 'runs nothing that makes changes').rejects.toThrow('has continued');
  await log.append([prompt('five')]);
  expect(await keptAside(path), 'before it is closed, too').toEqual([
    { name, said: ['one', 'two', 'three', 'four', 'five'], problems: [] },
  ]);
  await expect(log.close()).rejects.toThrow('continued an earlier state');
  expect(saidIn(await store.read(id))).toEqual(['one', 'other']);
  expect((await verifyLog(path)).problems).toEqual([]);
});

test('where another one has the backup open to the last, what was said here is kept beside it', async () => {
  const { store, id, path, log } = await restoredOverOpen(['one']);
  const other = await store.open(id);
  onTestFinished(() => other.close());
  await log.append([prompt('four')]);
  expect(log.trouble).toContain('open in another window or program');
  expect(await keptAside(path)).toEqual([]);
  const told = await log.close().catch(String);
  const [{ name = '', ...kept } = {}, ...more] = await keptAside(path);
  expect(told).toContain(`is saved as ${name}`);
  expect([kept, ...more]).toEqual([{ said: ['one', 'two', 'three', 'four'], problems: [] }]);
  expect(saidIn(await store.read(id))).toEqual(['one']);
});

test.each([
  ['replaces', 'Another file replaced', 1],
  ['removes', 'was removed or moved', 0],
] as const)(
  'a log that somebody %s on a full disk is told of once, and set aside once',
  async (how, message, count) => {
    const { clock, store, id, path } = await logWith(['one']);
    const log = await store.open(id);
    const asides = async () => (await readdir(dirname(path))).filter((name) => name.includes('.replaced-'));
    const lose = async (text: string) => {
      if (how === 'removes') return rm(path);
      await writeFile(`${path}.new`, text);
      await rename(`${path}.new`, path);
    };
    onTestFinished(() => {
      isFull = false;
    });
    for (const time of [1, 2]) {
      await lose(`other ${time}`);
      isFull = true;
      for (const content of ['two', 'three', 'four']) {
        await log.append([prompt(content)]);
        clock.advance(5_000);
      }
      await expect(log.sync()).rejects.toThrow('no space left');
      isFull = false;
      await log.append([prompt('five')]);
      expect(await asides(), 'another one that comes later is another one').toHaveLength(count * time);
    }
    await log.close();
    expect((await verifyLog(path)).problems).toEqual([]);
    const events = await store.read(id);
    expect(saidIn(events)).toHaveLength(9);
    expect(noticesIn(events)).toEqual([expect.stringContaining(message), expect.stringContaining(message)]);
  },
);
