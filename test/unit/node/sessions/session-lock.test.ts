import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NewerLogError, SessionBusyError } from '../../../../extension/core/ports/session-store.ts';
import { SILENT_MS } from '../../../../extension/node/fs/lock-holder.ts';
import { verifyLog } from '../../../../extension/node/log/verify-log.ts';
import { craftedLock, NOBODY, silence, writeForeignLock } from '../../../support/crafted-lock.ts';
import { logWith, START } from '../../../support/stored-log.ts';
import { until } from '../../../support/until.ts';

test('one writer: a second one is told, and may write when the first has closed', async () => {
  const { store, id } = await logWith(['one']);
  const first = await store.open(id);
  await expect(store.open(id)).rejects.toBeInstanceOf(SessionBusyError);
  expect(await store.read(id)).toHaveLength(2);
  await first.close();
  await (await store.open(id)).close();
});

test('a lock whose holder is dead, or whose process id is used by another process now, is worth nothing', async () => {
  const { root, store, id } = await logWith(['one']);
  for (const changes of [{ pid: NOBODY }, { started: 'another start' }]) {
    await writeFile(join(root, id, 'lock'), await craftedLock(changes));
    await (await store.open(id)).close();
  }
});

test('what another process has taken meanwhile is not written', async () => {
  const { root, store, id } = await logWith(['one']);
  const log = await store.open(id);
  await rm(join(root, id), { recursive: true });
  await mkdir(join(root, id));
  await writeForeignLock(join(root, id, 'lock'));
  await log.append([{ type: 'user', content: 'two' }]);
  expect(log.trouble).toContain('open in another window or program');
  await expect(log.close()).rejects.toThrow('open in another window or program');
  expect(await readdir(join(root, id)), 'what was said is beside it').toEqual([
    expect.stringMatching(/^events\.jsonl\.lost-\d+$/),
    'lock',
  ]);
});

/** A session that rests, and the lock that another machine finds silent. */
async function restingLog() {
  const place = await logWith(['one']);
  const log = await place.store.open(place.id);
  const lock = join(place.root, place.id, 'lock');
  return { ...place, log, lock };
}

/** As after a rest: nothing is written so soon after the last look that the lock is not looked at. */
function laterOn(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 2_000);
  onTestFinished(() => void vi.useRealTimers());
}

test('whoever rests too long loses the session to another machine, and writes nothing into what that one said', async () => {
  const { store, id, path, log, lock } = await restingLog();
  await writeForeignLock(lock);
  laterOn();
  await log.append([{ type: 'user', content: 'mine' }]);
  expect(log.trouble).toContain(
    `This session is open in another window or program (process ${NOBODY} on elsewhere)`,
  );
  await silence(lock);
  const other = await store.open(id);
  await other.append([{ type: 'user', content: 'theirs' }]);
  await other.close();
  const written = await readFile(path, 'utf8');
  await log.append([{ type: 'user', content: 'mine again' }]);
  expect(log.trouble).toContain('another process has continued this session');
  await expect(log.close()).rejects.toThrow('could not be written');
  expect(await readFile(path, 'utf8')).toBe(written);
  const [kept = '', ...more] = (await readdir(dirname(path))).filter((name) => name.includes('.lost-'));
  expect(log.trouble).toContain(kept);
  expect(more).toEqual([]);
  expect(await verifyLog(join(dirname(path), kept))).toMatchObject({ events: 4, problems: [] });
  expect((await verifyLog(path)).problems).toEqual([]);
  await (await store.open(id)).close();
});

test('a session that another machine took and left as it was goes on', async () => {
  const { store, id, path, log, lock } = await restingLog();
  await writeForeignLock(lock);
  laterOn();
  await log.append([{ type: 'user', content: 'two' }]);
  await silence(lock);
  await (await store.open(id)).close();
  await log.append([{ type: 'user', content: 'three' }]);
  expect(log.trouble).toBeUndefined();
  await log.close();
  expect(await verifyLog(path)).toMatchObject({ events: 4, problems: [] });
});

test('whoever works is heard of, and nobody takes the session away', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { log, lock } = await restingLog();
  expect(vi.getTimerCount(), 'nothing ticks while it rests').toBe(0);
  const rest = log.atWork();
  await silence(lock);
  const silent = statSync(lock).mtimeMs;
  vi.advanceTimersByTime(SILENT_MS / 2);
  await until(() => statSync(lock).mtimeMs > silent);
  rest();
  expect(vi.getTimerCount()).toBe(0);
  await log.close();
});

/** A session of the format that comes after ours. */
async function newerLog() {
  const place = await logWith(['one']);
  const text = (await readFile(place.path, 'utf8')).replace('"version":1', '"version":2');
  await writeFile(place.path, `${text}{"type":"user","content":{"of":"then"},"seq":3,"prev":"x"}\n`);
  return { ...place, text: await readFile(place.path, 'utf8') };
}

test('a log of a newer version is read and followed, and neither written, mended nor forked', async () => {
  const { root, store, id, path, text } = await newerLog();
  await expect(store.open(id)).rejects.toThrow(NewerLogError);
  await expect(store.open(id)).rejects.toThrow('Update Harness to continue it');
  await expect(store.fork(id, 2, START)).rejects.toThrow(NewerLogError);
  expect(await store.read(id)).toHaveLength(2);
  const held: boolean[] = [];
  const followed = await store.follow(id, { onEvents: () => {}, onHeld: (isHeld) => held.push(isHeld) });
  await until(() => held.length > 0);
  followed.close();
  expect(held, 'nobody may type').toEqual([true]);
  expect(await readFile(path, 'utf8')).toBe(text);
  expect(await readdir(join(root, id))).toEqual(['events.jsonl']);
});

test('two processes that write one session take turns: no line is lost, doubled or put into another', async () => {
  const { root, store, id, path } = await logWith([]);
  const writers = ['a', 'b'].map((name) =>
    fork(join(import.meta.dirname, '../../../support/take-turns.ts'), [root, id, name, '40', '50'], {
      execArgv: ['--experimental-transform-types', '--no-warnings'],
    }),
  );
  const ends = await Promise.all(writers.map((writer) => once(writer, 'exit')));
  expect(ends).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(await verifyLog(path)).toMatchObject({ events: 1 + 2 * 40 * 50, problems: [] });
  const said = (await store.read(id)).flatMap((event) => (event.type === 'user' ? [event.content] : []));
  for (const name of ['a', 'b']) {
    const own = said.filter((content) => content.startsWith(name));
    expect(own).toEqual(Array.from({ length: 2_000 }, (_, count) => `${name} ${count}`));
  }
});
