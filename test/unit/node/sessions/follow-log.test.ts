import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionLog } from '../../../../extension/core/ports/session-store.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import type { SessionEvent } from '../../../../extension/protocol/events.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { until } from '../../../support/until.ts';

async function followed() {
  const root = await tempDir();
  const store = new JsonlSessionStore(root, new ManualClock());
  const log = await store.create({ cwd: '/repo', product: 'test' });
  await say(log, 'before');
  const news: SessionEvent[] = [];
  const held: boolean[] = [];
  const following = await store.follow(log.id, {
    onEvents: (events) => news.push(...events),
    onHeld: (isHeld) => held.push(isHeld),
  });
  return { root, store, log, news, held, following, path: join(root, log.id, 'events.jsonl') };
}

const say = (log: SessionLog, content: string) => log.append([{ type: 'user', content }]);
const words = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'user' ? [event.content] : []));

test('who reads along sees what was there, and then each event once and in order', async () => {
  const { log, news, held, following } = await followed();
  expect(words(following.past)).toEqual(['before']);
  for (let count = 0; count < 50; count += 1) await say(log, `${count}`);
  await until(() => news.length === 50);
  expect(words(news)).toEqual(Array.from({ length: 50 }, (_, count) => `${count}`));
  expect(words(await following.load(2, 4))).toEqual(['before', '0', '1']);
  expect(held).toEqual([true]);
  await log.close();
  following.close();
});

test('a line that comes in two pieces is one event', async () => {
  const { store, log, news, following, path } = await followed();
  const before = (await readFile(path)).length;
  const copy = await store.fork(log.id, 3, { cwd: '/repo', product: 'test' });
  await say(log, 'one');
  const line = (await readFile(path)).subarray(before);
  await log.close();
  const parts: SessionEvent[] = [];
  await copy.close();
  const copied = join(path, '../..', copy.id, 'events.jsonl');
  const reading = await store.follow(copy.id, {
    onEvents: (events) => parts.push(...events),
    onHeld: () => {},
  });
  const next = line.toString().replace('"seq":3', '"seq":30');
  for (const piece of [next.slice(0, 30), next.slice(30)]) {
    await appendFile(copied, piece);
    await readFile(copied);
  }
  await until(() => parts.length > 0);
  expect(words(parts)).toEqual(['one']);
  expect(words(news)).toEqual(['one']);
  reading.close();
  following.close();
});

test('it is told when the writer lets go, and when another one comes', async () => {
  const { store, log, held, following } = await followed();
  await until(() => held.length === 1);
  await log.close();
  await until(() => held.length === 2);
  const again = await store.open(log.id);
  await until(() => held.length === 3);
  expect(held).toEqual([true, false, true]);
  await again.close();
  following.close();
});

test('a log that is mended meanwhile goes on where it was', async () => {
  const { store, log, news, following, path } = await followed();
  await log.close();
  await appendFile(
    path,
    'This is no record, and it is longer than what comes next is, by far and without an end.\n',
  );
  const mended = await store.open(log.id);
  expect(mended.repairs).toHaveLength(1);
  await say(mended, 'after');
  await until(() => news.length > 0);
  expect(words(news)).toEqual(['after']);
  expect(words(await following.load(1, 9))).toEqual(['before', 'after']);
  await mended.close();
  following.close();
});

test('who has stopped reading along is told nothing more', async () => {
  const { store, log, news, following } = await followed();
  following.close();
  const second: SessionEvent[] = [];
  const other = await store.follow(log.id, {
    onEvents: (events) => second.push(...events),
    onHeld: () => {},
  });
  await say(log, 'after');
  await until(() => second.length === 1);
  expect(news).toEqual([]);
  await log.close();
  other.close();
});

test('what another process writes is seen here, and nothing keeps this one alive', async () => {
  const root = await tempDir();
  const child = fork(join(import.meta.dirname, '../../../support/append-until-killed.ts'), [root], {
    execArgv: ['--experimental-transform-types', '--no-warnings'],
  });
  await once(child, 'message');
  const store = new JsonlSessionStore(root, new ManualClock());
  const id = (await store.list())[0]?.id ?? '';
  const news: SessionEvent[] = [];
  const following = await store.follow(id, { onEvents: (events) => news.push(...events), onHeld: () => {} });
  await until(() => news.length > 100);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const all = words([...following.past, ...news]);
  expect(all).toEqual(all.map((_, index) => `prompt ${index + 1}`));
  following.close();
  await (await store.open(id)).close();
});
