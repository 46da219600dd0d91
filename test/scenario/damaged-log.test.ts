// A real log to which something has happened: what is intact stays, what is damaged is set aside, and that is told once.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/scripted-model.ts';
import { Session } from '../../extension/core/session/session.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { violationsIn } from '../support/crash/invariants.ts';
import { createSession, openWorkplace, places, prepare, settingsWith } from '../support/crash/session.ts';
import { longWork, shortWork } from '../support/crash/work.ts';
import { randomFrom } from '../support/random-from.ts';
import { says } from '../support/scenario.ts';
import { tempDir } from '../support/temp-dir.ts';

const SEED = Number(process.env.HARNESS_SEED ?? 20_261_122);
const FLIPS = 1_000;

async function workedSession(work = longWork()) {
  const folder = await tempDir();
  await prepare(folder);
  const workplace = await openWorkplace(folder);
  const session = await createSession(workplace, folder);
  await session.prompt('Go', settingsWith(work));
  await session.close();
  await workplace.close();
  const path = join(places(folder).home, 'sessions', session.id, 'events.jsonl');
  const whole = await readFile(path);
  return { ...workplace, id: session.id, path, whole, events: session.events };
}

type Worked = Awaited<ReturnType<typeof workedSession>>;

/** Puts these bytes in the place of the log, opens it, appends to it and opens it again. */
async function open({ store, id, path }: Worked, bytes: Uint8Array) {
  await writeFile(path, bytes);
  const log = await store.open(id);
  const appended = await log.append([
    ...log.repairs.map((message) => ({ type: 'notice', message }) as const),
    { type: 'user', content: 'after' },
  ]);
  await log.close();
  const again = await store.open(id);
  await again.close();
  const asides = (await readdir(dirname(path))).filter((name) => name.includes('damaged'));
  return {
    past: log.past,
    repairs: log.repairs,
    appended,
    again: again.past,
    toldAgain: again.repairs,
    asides,
  };
}

/** What is there is the beginning or a part of what was, unchanged; what is appended comes behind it. */
function expectKept(opened: Awaited<ReturnType<typeof open>>, why: string): void {
  expect(opened.toldAgain, `told once: ${why}`).toEqual([]);
  expect(opened.again, `nothing is lost by going on: ${why}`).toEqual([...opened.past, ...opened.appended]);
  expect(opened.repairs.length, why).toBeLessThan(2);
}

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
    const opened = await open(worked, whole.subarray(0, cut));
    const why = `cut at ${cut}`;
    expectKept(opened, why);
    expect(opened.past, why).toEqual(events.slice(0, ends.filter((end) => end <= cut).length));
    const isClean = cut === 0 || whole[cut - 1] === 10 || whole[cut] === 10;
    expect(opened.repairs.length, why).toBe(isClean ? 0 : 1);
  }
});

test('whichever bit is flipped, every other record stays, and it is told', async () => {
  const worked = await workedSession(shortWork());
  const { whole, events } = worked;
  const random = randomFrom(SEED);
  for (let count = 0; count < FLIPS; count += 1) {
    const at = Math.floor(random() * whole.length);
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    const opened = await open(worked, bytes);
    const why = `a bit of byte ${at} is flipped, HARNESS_SEED=${SEED}`;
    expectKept(opened, why);
    expect(opened.repairs, why).toHaveLength(1);
    const lost = whole[at] === 10 ? 0 : 1;
    expect(intactIn(events, opened.past), why).toBeGreaterThanOrEqual(events.length - lost);
  }
});

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
  const opened = await open(worked, damage(whole));
  expectKept(opened, '');
  expect(opened.past).toHaveLength(events.length - lost);
  expect(intactIn(events, opened.past)).toBe(events.length - lost);
  expect(opened.repairs).toHaveLength(told);
});

function lineFeedsWithout(whole: Buffer, index: number): Buffer {
  const lines = whole.toString().split('\n');
  return Buffer.from(lines.slice(0, index).join('\n') + lines.slice(index).join('\n').replace(/^/, ''));
}

test('whatever is left of its log, the next request of the session is one that every provider takes', async () => {
  const worked = await workedSession();
  const { whole, store, id, ports, path } = worked;
  const random = randomFrom(SEED);
  for (let count = 0; count < 40; count += 1) {
    const from = Math.floor(random() * whole.length);
    const damaged = Buffer.from(whole).fill(0, from, from + Math.floor(random() * 3_000));
    await writeFile(path, damaged);
    const session = await Session.open(await store.open(id), ports);
    const model = new ScriptedModel(says('Here I am.'));
    expect(await session.prompt('Go on', settingsWith(model))).toBe('done');
    await session.close();
    expect(model.turns.flatMap(violationsIn), `zeros from ${from}, HARNESS_SEED=${SEED}`).toEqual([]);
  }
});
