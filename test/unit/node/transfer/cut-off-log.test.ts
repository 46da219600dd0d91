// A log that something else has cut off is no sound log, though each line that is left is: its index knows more.
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { SecretFilter } from '../../../../extension/core/secrets/secret-filter.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import { exportSession } from '../../../../extension/node/transfer/export-session.ts';
import { importSession } from '../../../../extension/node/transfer/import-session.ts';
import { readableExport } from '../../../../extension/node/transfer/readable-export.ts';
import { verifySession } from '../../../../extension/node/transfer/verify-session.ts';
import { INDEXED, writeLargeLog } from '../../../support/large-log.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** An indexed log, and the bytes of it. */
async function indexed() {
  const root = await tempDir();
  await writeLargeLog(root, INDEXED);
  const store = new JsonlSessionStore(root, new ManualClock());
  const open = async () => {
    const log = await store.open(INDEXED.id);
    await log.append(log.repairs.map((message) => ({ type: 'notice', message })));
    await log.close();
    return log;
  };
  await open();
  const path = join(root, INDEXED.id, 'events.jsonl');
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const cut = (count: number, more = 0) =>
    truncate(path, Buffer.byteLength(`${lines.slice(0, count).join('\n')}\n`) + more);
  const problems = async () => (await verifySession(root, INDEXED.id)).problems.map(({ message }) => message);
  return { root, store, open, path, lines, cut, problems };
}

const secrets = new SecretFilter();
const exported = ({ root }: Awaited<ReturnType<typeof indexed>>) =>
  exportSession({ root, id: INDEXED.id, secrets, product: 'test' }, join(root, 'file'));

/** Whether what people read of it says that something is missing, and how many events are there. */
async function shown({ store }: Awaited<ReturnType<typeof indexed>>) {
  let [events, lost] = [0, 0];
  const onDamaged = (lines: number) => {
    lost = lines;
  };
  for await (const some of store.stream(INDEXED.id, onDamaged)) events += some.length;
  const { isRepaired } = await readableExport((told) => store.stream(INDEXED.id, told), 'md', secrets);
  return { events, lost, isRepaired };
}

const missing = (count: number) =>
  `The end of this session’s log is missing (records: ${count}). It was cut off, or an older log replaced it.`;

test('cut off at a line, it says how much is missing, once, and goes on', async () => {
  const { open, lines, cut, problems } = await indexed();
  expect(await problems()).toEqual([]);
  await cut(700);
  const lost = lines.length - 700;
  expect(await problems()).toEqual([`The end of the log was cut off: its index lists ${lost} more records.`]);
  const { past, repairs } = await open();
  expect(past).toHaveLength(700);
  expect(repairs).toEqual([missing(lost)]);
  expect((await open()).repairs).toEqual([]);
  expect(await problems()).toEqual([]);
});

test('cut off within a line, not everything else is there', async () => {
  const { open, lines, cut } = await indexed();
  await cut(700, 20);
  const { past, repairs } = await open();
  expect(past).toHaveLength(700);
  expect(repairs).toEqual([
    expect.stringMatching(
      /^The last record of this session was cut off because the process that wrote it ended\. The file as it was before the repair is kept as events\.jsonl\.damaged-\d+\.$/,
    ),
    missing(lines.length - 701),
  ]);
  expect((await open()).repairs).toEqual([]);
});

test('with its last line alone, everything else is there', async () => {
  const { open, lines, cut } = await indexed();
  await cut(lines.length - 1, 20);
  expect((await open()).repairs).toEqual([expect.stringMatching(/Everything else is here/)]);
  expect((await open()).repairs).toEqual([]);
});

test('emptied, it says so, and how much there was', async () => {
  const { open, path, lines } = await indexed();
  await writeFile(path, '');
  expect((await open()).repairs).toEqual([
    expect.stringMatching(/^This session’s log was empty/),
    missing(lines.length),
  ]);
  expect((await open()).repairs).toEqual([]);
});

test('cut off, what leaves it says that something is missing', async () => {
  const log = await indexed();
  expect(await shown(log)).toEqual({ events: log.lines.length, lost: 0, isRepaired: false });
  expect(await exported(log)).toMatchObject({ events: log.lines.length, isRepaired: false });
  await log.cut(700);
  expect(await shown(log)).toEqual({ events: 700, lost: log.lines.length - 700, isRepaired: true });
  expect(await exported(log)).toMatchObject({ events: 700, isRepaired: true });
  const there = await tempDir();
  const place = { root: there, clock: new ManualClock(), cwd: '/there' };
  expect(await importSession(place, join(log.root, 'file'))).toMatchObject({ isDamaged: true });
});

test('what was damaged since the index was written is told by what leaves it, too', async () => {
  const log = await indexed();
  const { path, lines } = log;
  await writeFile(path, `${lines.with(300, '\0'.repeat(lines[300]?.length ?? 0)).join('\n')}\n`);
  await appendFile(path, 'no record\n');
  expect(await shown(log)).toEqual({ events: lines.length - 1, lost: 2, isRepaired: true });
  expect(await exported(log)).toMatchObject({ events: lines.length - 1, isRepaired: true });
});

test('the index of a log that was lost says nothing of the one that an import puts in its place', async () => {
  const log = await indexed();
  await writeFile(log.path, `${log.lines.toSpliced(300, 50).join('\n')}\n`);
  await exported(log);
  await rm(log.path);
  await importSession({ root: log.root, clock: new ManualClock(), cwd: '/there' }, join(log.root, 'file'));
  expect(await log.problems()).toEqual([expect.stringContaining('was damaged')]);
});
