// Logs that are larger than the memory that they are opened with.
import { execFile } from 'node:child_process';
import { open, readdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { LONGEST_LINE } from '../../../../extension/core/log/hash-chain.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { verifyLog } from '../../../../extension/node/log/verify-log.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import { type LargeLog, textOf, writeLargeLog } from '../../../support/large-log.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const MEGABYTE = 1_000_000;
/** With everything in memory, its texts alone would fill the heap that the program is given. */
const LARGE: LargeLog = {
  id: '20260101000000-large',
  messages: 5_000,
  length: 11_000,
  longest: 4 * MEGABYTE,
};
const HEAP_MEGABYTES = 56;

interface Opened {
  readonly events: number;
  readonly elided: number;
  readonly repairs: readonly string[];
  readonly firstText: string;
  readonly last: { readonly content: string };
}

async function writeLarge() {
  const root = await tempDir();
  await writeLargeLog(root, LARGE);
  return { root, path: join(root, LARGE.id, 'events.jsonl') };
}

async function openLimited(root: string): Promise<Opened> {
  const program = join(import.meta.dirname, '../../../support/open-large-log.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      `--max-old-space-size=${HEAP_MEGABYTES}`,
      '--experimental-transform-types',
      '--no-warnings',
      program,
      root,
      LARGE.id,
    ],
    { maxBuffer: 64 * MEGABYTE },
  );
  // The program says in its first lines what it prints.
  return JSON.parse(stdout) as Opened;
}

test('a log opens that is larger than the heap, with a line of 4 MB; what is far behind is loaded where it is shown', async () => {
  const { root, path } = await writeLarge();
  expect((await stat(path)).size).toBeGreaterThan(HEAP_MEGABYTES * MEGABYTE);
  const opened = await openLimited(root);
  expect(opened).toMatchObject({ events: 5_505, repairs: [] });
  expect(opened.elided).toBeGreaterThan(2_000);
  expect(opened.firstText).toBe(textOf(1, LARGE.length));
  expect(opened.last.content).toBe('The last prompt');
});

test('a large log that is damaged is mended in bounded memory, and nothing of it is thrown away', async () => {
  const { root, path } = await writeLarge();
  const file = await open(path, 'r+');
  await file.write('\0', 5 * MEGABYTE);
  await file.close();
  await truncate(path, (await stat(path)).size - 3);
  const damaged = (await stat(path)).size;
  const { events, repairs } = await openLimited(root);
  expect(events).toBe(5_505 - 2);
  const aside = (await readdir(join(root, LARGE.id))).find((name) => name.includes('damaged')) ?? '';
  expect((await stat(join(root, LARGE.id, aside))).size).toBe(damaged);
  expect(repairs[0]).toContain(aside);
});

test('a large log is forked with its texts whole, and verified', async () => {
  const { root } = await writeLarge();
  const store = new JsonlSessionStore(root, new ManualClock());
  const log = await store.fork(LARGE.id, 1_000, { cwd: '/repo', product: 'test' });
  const texts = (await log.load(1, 999)).flatMap((event) => (event.type === 'text' ? [event.content] : []));
  expect(texts.slice(0, 900)).toEqual(
    Array.from({ length: 900 }, (_, index) => textOf(index + 1, LARGE.length)),
  );
  await log.close();
  expect(await verifyLog(join(root, log.id, 'events.jsonl'))).toMatchObject({ problems: [] });
});

/** Of the line of the tool's answer, what is not the answer. */
const ROUND = 300;

test('a session with a line just under 16 MB opens, and one with a longer line is refused wherever it is read', async () => {
  const root = await tempDir();
  const store = new JsonlSessionStore(root, new ManualClock());
  const just = { id: '20260101000000-just', messages: 4, length: 100, longest: LONGEST_LINE - ROUND };
  await writeLargeLog(root, just);
  const opened = await store.open(just.id);
  const [answer] = await opened.load(7, 7);
  expect(answer?.type === 'tool_result' && answer.result.length).toBeGreaterThan(just.longest);
  expect(opened.repairs).toEqual([]);
  await opened.close();

  const long = { ...just, id: '20260101000000-long', longest: LONGEST_LINE };
  await writeLargeLog(root, long);
  const path = join(root, long.id, 'events.jsonl');
  const before = await readFile(path);
  const nobody = { onEvents: () => undefined, onHeld: () => undefined };
  const told = `Could not read ${path}: line 7 is longer than 16 MB`;
  for (const read of [
    () => store.open(long.id),
    () => store.read(long.id),
    () => store.follow(long.id, nobody),
    () => store.fork(long.id, 3, { cwd: '/repo', product: 'test' }),
  ])
    await expect(read()).rejects.toThrow(told);
  const unread: string[] = [];
  const listed = await store.list((id, { message }) => unread.push(`${id}: ${message}`));
  expect(listed.map(({ id }) => id)).toEqual([just.id]);
  expect(unread).toEqual([expect.stringContaining(`${long.id}: ${told}`)]);
  const { problems, events, last } = await verifyLog(path);
  expect({ problems, events, last }).toMatchObject({
    problems: [{ line: 7, message: expect.stringContaining('longer than 16 MB') }],
    events: 6,
    last: 6,
  });
  expect((await readFile(path)).equals(before)).toBe(true);
  expect((await readdir(join(root, long.id))).sort()).toEqual(['events.jsonl']);
});

test('the writer refuses an event that no line can hold, and goes on', async () => {
  const root = await tempDir();
  const store = new JsonlSessionStore(root, new ManualClock());
  const log = await store.create({ cwd: '/repo', product: 'test' });
  const text = 'x'.repeat(LONGEST_LINE);
  const tooLong = { type: 'context', kind: 'environment', text } as const;
  await expect(log.append([{ type: 'title', title: 'lost with it' }, tooLong])).rejects.toThrow(
    'An event of type “context” was not written: it would take more than 16 MB in the log',
  );
  await log.append([{ type: 'title', title: 'next' }]);
  await log.close();
  const events = await store.read(log.id);
  expect(events.flatMap((event) => (event.type === 'title' ? [event.title] : []))).toEqual(['next']);
  expect(await verifyLog(join(root, log.id, 'events.jsonl'))).toMatchObject({ problems: [] });
});
