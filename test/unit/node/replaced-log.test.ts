// A log that somebody else writes, replaces or cuts while its session is open.
import { copyFile, readdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppendFile } from '../../../extension/node/append-file.ts';
import { verifyLog } from '../../../extension/node/verify-log.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';
import { logWith } from '../../support/stored-log.ts';

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
  expect(noticesIn(events)).toEqual([expect.stringContaining(`the other one is kept as ${aside}`)]);
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
    'Something else than Harness has overwritten the log of this session while it was open: what is missing in it is lost.',
  );
});

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
