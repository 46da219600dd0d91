import { existsSync } from 'node:fs';
import { appendFile, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionLog } from '../../../../extension/core/ports/session-store.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { isAsIndexed, readIndexEnd } from '../../../../extension/node/log/log-index.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import type { SessionEvent } from '../../../../extension/protocol/events.ts';
import { INDEXED, type LargeLog, textOf, writeLargeLog } from '../../../support/large-log.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** Seconds. */
const LONG_AGO = 1_700_000_000;

async function indexed(log: LargeLog = INDEXED) {
  const root = await tempDir();
  await writeLargeLog(root, log);
  const clock = new ManualClock();
  const store = new JsonlSessionStore(root, clock);
  await utimes(join(root, log.id, 'events.jsonl'), LONG_AGO, LONG_AGO);
  await (await store.open(log.id)).close();
  const folder = join(root, log.id);
  return { store, clock, folder, path: join(folder, 'events.jsonl'), index: join(folder, 'index.jsonl') };
}

async function pastOf(store: JsonlSessionStore, use: (log: SessionLog) => Promise<unknown> = async () => {}) {
  const log = await store.open(INDEXED.id);
  await use(log);
  await log.close();
  return { past: log.past, repairs: log.repairs };
}

const say = (content: string) => (log: SessionLog) => log.append([{ type: 'user', content }]);
const isElided = ({ elided }: SessionEvent) => elided !== undefined;

/** Text 1 says something else in the index: whoever reads it there can be told from who reads the log. */
async function mark(index: string): Promise<void> {
  const text = await readFile(index, 'utf8');
  await writeFile(index, text.replace('message 1 ', 'Message 1 '));
}

test('what is read with an index is what is read without it', async () => {
  const { store, index } = await indexed();
  const withIndex = await pastOf(store);
  expect(withIndex.past.filter(isElided).length).toBeGreaterThan(600);
  expect(withIndex.past.filter((event) => !isElided(event)).length).toBeGreaterThan(300);
  await rm(index);
  const without = await pastOf(store);
  expect(without).toEqual(withIndex);
  expect(await readFile(index, 'utf8')).not.toBe('');
});

test('the far past comes from the index, not from the log; its texts are loaded from the log', async () => {
  const { store, path } = await indexed();
  const log = await readFile(path, 'utf8');
  await writeFile(path, log.replace('message 1 ', 'Message 1 '));
  await utimes(path, LONG_AGO, LONG_AGO);
  const { past } = await pastOf(store, async (opened) => {
    expect(await opened.load(4, 4)).toMatchObject([{ content: textOf(1, 6_000).replace('m', 'M') }]);
  });
  expect(past.find(({ type }) => type === 'text')).toMatchObject({
    content: expect.stringMatching(/^message 1 /),
  });
});

test('what was written since is read from the log, and brought into the index when it is closed', async () => {
  const { store, index } = await indexed();
  const before = await readFile(index);
  await pastOf(store, say('more'));
  const after = await readFile(index);
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  expect(after.length - before.length).toBeLessThan(1_000);
  const { past } = await pastOf(store, say('and more'));
  expect(past.at(-1)).toMatchObject({ type: 'user', content: 'more' });
  await rm(index);
  const again = await pastOf(store);
  expect(again.past.at(-1)).toMatchObject({ type: 'user', content: 'and more' });
});

test('a writer that was killed has not closed its log: the index holds for what it knew', async () => {
  const { store, path, index } = await indexed();
  const before = await readFile(index);
  await pastOf(store, say('last words'));
  await writeFile(index, before);
  expect((await pastOf(store)).past.at(-1)).toMatchObject({ content: 'last words' });
  await writeFile(index, before);
  await appendFile(path, '{"type":"user"');
  const { past, repairs } = await pastOf(store);
  expect(repairs[0]).toMatch(/cut off/);
  expect(past.at(-1)).toMatchObject({ content: 'last words' });
  expect(await pastOf(store)).toEqual({ past, repairs: [] });
});

test.each([
  ['empty', async (index: string) => truncate(index, 0)],
  ['cut off', async (index: string) => truncate(index, (await stat(index)).size - 5)],
  [
    'without a line',
    async (index: string) => writeFile(index, (await readFile(index, 'utf8')).replace(/\n.*\n/, '\n')),
  ],
  ['changed', mark],
  [
    'broken in a line',
    async (index: string) =>
      writeFile(index, (await readFile(index, 'utf8')).replace('"type":"text"', '"type:"text"')),
  ],
  [
    'of another version',
    async (index: string) =>
      writeFile(index, (await readFile(index, 'utf8')).replace('{"version":1', '{"version":9')),
  ],
  ['no index', async (index: string) => writeFile(index, 'nothing\n= {}\n')],
])('an index that is %s is not believed, and made anew', async (_what, spoil) => {
  const { store, index } = await indexed();
  const sound = await readFile(index, 'utf8');
  const { past } = await pastOf(store);
  await spoil(index);
  expect((await pastOf(store)).past).toEqual(past);
  expect(await readFile(index, 'utf8')).toBe(sound);
});

test('a log that was changed behind its index is read whole, and the change is told', async () => {
  const { store, path } = await indexed();
  await writeFile(path, (await readFile(path, 'utf8')).replace('message 1 ', 'Message 1 '));
  await utimes(path, 1, 1);
  const { past, repairs } = await pastOf(store);
  expect(repairs[0]).toMatch(/hash chain is broken/);
  expect(past.find(({ type }) => type === 'text')).toMatchObject({
    content: expect.stringMatching(/^Message 1 /),
  });
});

test.each([
  ['shorter, as it was before', { messages: 900 }, [expect.stringMatching(/an older log replaced it/)]],
  ['longer, with other lines', { messages: 1_300, length: 5_900 }, []],
  ['longer, with other lines at its end', { messages: 1_300, length: 6_001 }, []],
  ['longer, without a compaction', { messages: 1_700, length: 4_321, compactEvery: 5_000 }, []],
])(
  'the index of a log in whose place there is another one, %s, is not believed, and nothing is lost',
  async (_what, change, told) => {
    const { store, path, index } = await indexed();
    const root = await tempDir();
    await writeLargeLog(root, { ...INDEXED, ...change });
    const other = await readFile(join(root, INDEXED.id, 'events.jsonl'));
    await writeFile(path, other);
    const { past, repairs } = await pastOf(store);
    expect(repairs).toEqual(told);
    expect(await readdir(join(path, '..'))).toEqual(['events.jsonl', 'index.jsonl']);
    expect((await readFile(path)).equals(other)).toBe(true);
    await rm(index);
    expect((await pastOf(store)).past).toEqual(past);
    expect(past).toHaveLength(other.toString().split('\n').length - 1);
  },
);

test('a short log has no index', async () => {
  const { folder } = await indexed({ id: '20260101000000-long', messages: 10, length: 10, longest: 10 });
  expect(await readdir(folder)).toEqual(['events.jsonl']);
});

test('what was changed in the part that the index stands for is found soon after, told, and mended at the next opening', async () => {
  const { store, clock, path, index } = await indexed();
  const bytes = await readFile(path);
  bytes[bytes.indexOf('message 1 ') - 1] = 0;
  await writeFile(path, bytes);
  await utimes(path, LONG_AGO, LONG_AGO);
  const { repairs } = await pastOf(store, async () => {
    clock.advance(3_000);
    await expect.poll(() => existsSync(index)).toBe(false);
  });
  expect(repairs).toEqual([]);
  expect(await readFile(path, 'utf8')).toContain(
    'An early part of this session’s log was changed or damaged. Open the',
  );
  expect((await pastOf(store)).repairs[0]).toMatch(/^1 record of this session could not be read/);
});

test('a log that has only grown is as its index says', async () => {
  const { store, path } = await indexed();
  const { signal } = new AbortController();
  for (const text of ['more', 'and more']) {
    await pastOf(store, say(text));
    const end = await readIndexEnd(path);
    expect(end && (await isAsIndexed(path, end, signal))).toBe(true);
  }
  const end = await readIndexEnd(path);
  await writeFile(path, (await readFile(path, 'utf8')).replace('message 1 ', 'Message 1 '));
  expect(end && (await isAsIndexed(path, end, signal))).toBe(false);
});

test('a log whose chain of hashes is broken gets no index', async () => {
  const root = await tempDir();
  await writeLargeLog(root, INDEXED);
  const path = join(root, INDEXED.id, 'events.jsonl');
  await writeFile(path, (await readFile(path, 'utf8')).replace('message 1 ', 'Message 1 '));
  const log = await new JsonlSessionStore(root, new ManualClock()).open(INDEXED.id);
  await log.close();
  expect(log.repairs[0]).toMatch(/hash chain is broken/);
  expect(await readdir(join(root, INDEXED.id))).toEqual(['events.jsonl']);
});
