// A real log to which something has happened: what is intact stays, what is damaged is set aside, and that is told once.
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { readLog } from '../../extension/node/log/read-log.ts';
import { verifyLog } from '../../extension/node/log/verify-log.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import {
  expectKept,
  expectPortable,
  reopen,
  type Worked,
  workedSession,
} from '../support/crash/damaged-log.ts';
import { violationsIn } from '../support/crash/invariants.ts';
import { settingsWith } from '../support/crash/session.ts';
import { shortWork } from '../support/crash/work.ts';
import { randomFrom } from '../support/random-from.ts';
import { recordedSession } from '../support/recorded.ts';
import { says } from '../support/scenario.ts';

const SEED = Number(process.env.HARNESS_SEED ?? 20_261_122);
const FLIPS = 1_000;
/** Of so many logs, one goes to another machine. */
const EXPORTED_EACH = 25;

const intactIn = (events: readonly SessionEvent[], past: readonly SessionEvent[]) => {
  const lines = new Set(past.map((event) => JSON.stringify(event)));
  return events.filter((event) => lines.has(JSON.stringify(event))).length;
};

test('cut anywhere, a log has every whole record, and goes on', async () => {
  const worked = await workedSession(shortWork());
  const { whole, events } = worked;
  const ends = [...whole.entries()].flatMap(([index, byte]) => (byte === 10 ? [index] : []));
  // Around the end of each line, and anywhere else.
  const random = randomFrom(SEED);
  const cuts = ends.flatMap((end) => [end - 1, end, end + 1]);
  for (let count = 0; count < 100; count += 1) cuts.push(Math.floor(random() * whole.length));
  for (const cut of cuts) {
    const opened = await reopen(worked, whole.subarray(0, cut));
    const why = `cut at ${cut}`;
    expectKept(opened, why);
    const left = events.slice(0, ends.filter((end) => end <= cut).length);
    expect(opened.past.slice(1), why).toEqual(left.slice(1));
    if (left.length > 0) expect(opened.past[0], why).toEqual(left[0]);
    const isClean = whole[cut - 1] === 10 || whole[cut] === 10;
    expect(opened.repairs.length, why).toBe(isClean ? 0 : 1);
  }
});

test('cut at every byte, a log gives every whole record and no other', async () => {
  const { whole, events, path } = await workedSession(shortWork());
  let ended = whole.filter((byte) => byte === 10).length;
  for (let cut = whole.length; cut >= 0; cut -= 1) {
    // A line that has lost its line feed alone is whole.
    if (whole[cut] !== 10 && whole[cut + 1] === 10) ended -= 1;
    await truncate(path, cut);
    const { events: found, damaged } = await readLog(path);
    const why = `cut at ${cut}`;
    expect(found, why).toHaveLength(ended);
    expect(found.at(-1), why).toEqual(events[ended - 1]);
    expect(damaged, why).toBe(whole[cut - 1] === 10 || whole[cut] === 10 || cut === 0 ? 0 : 1);
  }
}, 600_000);

test('whichever bit is flipped, every other record stays, and it is told', async () => {
  const worked = await workedSession(shortWork());
  const { whole, events } = worked;
  const random = randomFrom(SEED);
  for (let count = 0; count < FLIPS; count += 1) {
    const at = Math.floor(random() * whole.length);
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    const why = `a bit of byte ${at} is flipped, HARNESS_SEED=${SEED}`;
    if (isNewer(bytes)) {
      await expect(reopen(worked, bytes), why).rejects.toThrow(
        'A newer version of Harness wrote this session',
      );
      continue;
    }
    const opened = await reopen(worked, bytes);
    expectKept(opened, why);
    // Nothing behind the last line vouches for it.
    if (at <= whole.lastIndexOf(10, -2)) expect(opened.repairs, why).toHaveLength(1);
    const lost = whole[at] === 10 ? 0 : 1;
    expect(intactIn(events, opened.past), why).toBeGreaterThanOrEqual(events.length - lost);
    if (count % EXPORTED_EACH > 0) continue;
    await expectPortable(worked, `${why}, and it was opened`);
    await writeFile(worked.path, bytes);
    await expectPortable(worked, why);
  }
});

/** The number of the log's format has become a greater one. */
const isNewer = (bytes: Buffer) =>
  /^\{"type":"session_started","version":[2-9]/.test(bytes.toString('latin1'));

const lineOf = (whole: Buffer, index: number) => `${whole.toString().split('\n')[index] ?? ''}\n`;

test.each<[string, (whole: Buffer) => Buffer, lost: number, told: number]>([
  ['ends in zeros', (whole) => Buffer.concat([whole, Buffer.alloc(4096)]), 0, 1],
  [
    'ends in zeros within a line',
    (whole) => Buffer.concat([whole.subarray(0, -5), Buffer.alloc(4096)]),
    1,
    1,
  ],
  ['has lost its last line feed', (whole) => whole.subarray(0, -1), 0, 0],
  ['has lost a line feed in the middle', (whole) => lineFeedsWithout(whole, 7), 0, 1],
  [
    'has its last line twice',
    (whole) => Buffer.concat([whole, Buffer.from(lineOf(whole, -2 + whole.toString().split('\n').length))]),
    0,
    1,
  ],
  [
    'has its last half twice',
    (whole) => Buffer.concat([whole, whole.subarray(whole.indexOf(10, whole.length / 2) + 1)]),
    0,
    1,
  ],
  [
    'has a damaged header',
    (whole) => Buffer.concat([Buffer.from('{"type":"sess'), whole.subarray(13 + 4)]),
    1,
    1,
  ],
  ['is zeros alone', (whole) => Buffer.alloc(whole.length), Number.POSITIVE_INFINITY, 1],
  ['has no header', (whole) => whole.subarray(whole.indexOf(10) + 1), 1, 1],
  [
    'has a torn line that another writer went on behind',
    (whole) => Buffer.concat([whole.subarray(0, -20), whole.subarray(whole.lastIndexOf(10, -2) + 1)]),
    0,
    1,
  ],
])('a log that %s keeps the rest', async (_, damage, lost, told) => {
  const worked = await workedSession();
  const { events, whole } = worked;
  const opened = await reopen(worked, damage(whole));
  expectKept(opened, '');
  expect(intactIn(events, opened.past)).toBe(Math.max(events.length - lost, 0));
  expect(opened.repairs).toHaveLength(told);
  if (opened.repairs.some((repair) => repair.includes('is kept as')))
    expect(await asideOf(worked, opened.repairs), 'as it was').toEqual(damage(whole));
  await expectPortable(worked, 'it was opened');
  await writeFile(worked.path, damage(whole));
  await expectPortable(worked, 'as it was found');
});

test('a log that has lost its beginning gets a new one, which knows the folder from the list', async () => {
  const worked = await workedSession(shortWork());
  const { whole, root, path, store } = worked;
  await writeFile(path, whole.subarray(whole.indexOf(10) + 1));
  // The list reads it again, and keeps what it knew.
  await store.list();
  const { past, repairs, asides } = await reopen(worked, whole.subarray(whole.indexOf(10) + 1));
  expect(past[0]).toMatchObject({ type: 'session_started', cwd: root, seq: 1, mended: true });
  expect(repairs).toEqual(['The beginning of this session was lost. Everything else is here.']);
  expect(asides, 'nothing was taken out').toEqual([]);
  expect((await store.list())[0]).toMatchObject({ cwd: root });
});

test('a log that was emptied says so, once, and goes on with a beginning', async () => {
  const worked = await workedSession(shortWork());
  await writeFile(worked.path, '');
  expect((await verifyLog(worked.path)).problems).toMatchObject([{ message: 'The log is empty.' }]);
  await expectPortable(worked, 'as it was found');
  const opened = await reopen(worked, Buffer.alloc(0));
  expectKept(opened, 'emptied');
  expect(opened.repairs).toEqual(['This session’s log was empty. Its conversation is lost.']);
  expect((await verifyLog(worked.path)).problems).toEqual([]);
  await expectPortable(worked, 'it was opened');
});

/** The file that the repair names. */
async function asideOf({ path }: Pick<Worked, 'path'>, [repair = '']: readonly string[]): Promise<Buffer> {
  const [, name = ''] = /kept as (\S+)\.$/.exec(repair) ?? [];
  return readFile(join(dirname(path), name));
}

function lineFeedsWithout(whole: Buffer, index: number): Buffer {
  const lines = whole.toString().split('\n');
  return Buffer.from(lines.slice(0, index).join('\n') + lines.slice(index).join('\n'));
}

test('whatever is left of its log, the next request of the session is one that every provider takes', async () => {
  const worked = await workedSession();
  const { whole, store, id, ports, path } = worked;
  const random = randomFrom(SEED);
  for (let count = 0; count < 40; count += 1) {
    const from = Math.floor(random() * whole.length);
    const damaged = Buffer.from(whole).fill(0, from, from + Math.floor(random() * 3_000));
    await writeFile(path, damaged);
    const session = await recordedSession(await store.open(id), ports, dirname(dirname(path)));
    const model = new ScriptedModel(says('Here I am.'));
    expect(await session.prompt('Go on', settingsWith(model))).toBe('done');
    await session.close();
    expect(model.turns.flatMap(violationsIn), `zeros from ${from}, HARNESS_SEED=${SEED}`).toEqual([]);
  }
});
