// Measures the session log against minimal code. Arguments: a folder, rounds, appends of a round, and events
// of a long log. Prints milliseconds of each round as JSON.
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LogWriter } from '../../extension/core/log/log-writer.ts';
import { SessionFold } from '../../extension/core/log/session-fold.ts';
import type { SessionLog } from '../../extension/core/ports/session-store.ts';
import { SecretFilter } from '../../extension/core/secrets/secret-filter.ts';
import { Session } from '../../extension/core/session/session.ts';
import { LogWindow } from '../../extension/core/view/log-window.ts';
import { compose } from '../../extension/headless/compose.ts';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { addPair, measurePairs, noPairs, type Pairs, processorTimeOf, timeOf } from './timing.ts';

const [folder = '', rounds = '1', appends = '1', events = '1'] = process.argv.slice(2);
const store = new JsonlSessionStore(folder, systemClock);
const start = { cwd: folder, product: 'bench' };
/** Events of a short log; a very long one has ten times as many as the long one. */
const SHORT = 10_000;
/** Events between two compactions, because no model can take a long conversation without them. */
const COMPACTED = 5_000;
const draft: EventDraft & { readonly type: 'tool_result' } = {
  type: 'tool_result',
  id: 'toolu_1',
  result: JSON.stringify({ content: 'A small file.\nIt has three lines,\nand this is the last.\n' }),
  isError: false,
  milliseconds: 3,
};

const repeat = async (append: () => Promise<unknown>) => {
  for (let index = 0; index < Number(appends); index++) await append();
};

/**
 * Appends as a session does: `result` in a result, without secrets. With `isDurable`, each event is on the
 * disk before the next one.
 */
async function measureAppends(isDurable: boolean, result = draft.result): Promise<Pairs> {
  const log = await store.create(start);
  const recorder = new LogWriter(log, console, new SecretFilter());
  const recorded = { ...draft, result };
  const bare = await open(join(folder, 'bare.jsonl'), 'a');
  const line = Buffer.from(`${JSON.stringify((await log.append([recorded]))[0])}\n`);
  const pairs = await measurePairs(
    Number(rounds),
    () =>
      repeat(async () => {
        await recorder.append(recorded);
        if (isDurable) await recorder.sync();
      }),
    () =>
      repeat(async () => {
        await bare.write(line);
        if (isDurable) await bare.datasync();
      }),
  );
  await bare.close();
  await log.close();
  return pairs;
}

/** Compares appends to a log ten times as long as the long one with appends to a short one. */
async function measureGrowth(): Promise<Pairs> {
  const [long, short] = [await store.create(start), await store.create(start)];
  await fill(long, 10 * Number(events));
  await fill(short, SHORT);
  const pairs = await measurePairs(
    Number(rounds),
    () => repeat(() => long.append([draft])),
    () => repeat(() => short.append([draft])),
  );
  await Promise.all([long.close(), short.close()]);
  return pairs;
}

async function measureOpening(id: string): Promise<Pairs> {
  const { ports } = await compose(folder, 'ask');
  const path = join(folder, id, 'events.jsonl');
  return measurePairs(
    Number(rounds),
    async () => (await Session.open(await store.open(id), ports)).close(),
    () => parseLines(path),
  );
}

/** Compares opening with and without the index. */
async function measureIndex(id: string): Promise<Pairs> {
  const pairs = noPairs();
  for (let round = 0; round < Number(rounds); round++) {
    const indexed = await openingTime(id);
    await rm(join(folder, id, 'index.jsonl'));
    addPair(pairs, indexed, await openingTime(id));
  }
  return pairs;
}

async function openingTime(id: string): Promise<number> {
  let log: SessionLog | undefined;
  const time = await timeOf(async () => {
    log = await store.open(id);
  });
  await log?.close();
  return time;
}

async function measureFolding(id: string): Promise<number[]> {
  const past = await store.read(id);
  const times: number[] = [];
  for (let round = 0; round < Number(rounds); round++) {
    const fold = async () => {
      new SessionFold().apply(past);
      new LogWindow(past);
    };
    times.push(await processorTimeOf(fold));
  }
  return times;
}

async function writeLog(length: number): Promise<string> {
  const log = await store.create(start);
  await fill(log, length);
  await log.close();
  return log.id;
}

async function fill(log: SessionLog, length: number): Promise<void> {
  const turn: EventDraft[] = [
    { type: 'request_started', request: 1, provider: 'anthropic', model: 'bench' },
    { type: 'text', content: 'I read the file once more, to see what it says.' },
    { type: 'tool_call', id: 'toolu_1', name: 'read', input: { path: 'small.txt' } },
    { type: 'request_ended', request: 1, outcome: 'completed', stop: 'tool_calls' },
    draft,
  ];
  const drafts = Array.from({ length: 200 }, () => turn).flat();
  for (let written = 0; written < length; written += drafts.length) {
    await log.append(drafts);
    if (written % COMPACTED === 0)
      await log.append([{ type: 'compaction', summary: 'Files were read.', through: written + 1 }]);
  }
}

async function parseLines(path: string): Promise<void> {
  for (const line of (await readFile(path, 'utf8')).trimEnd().split('\n')) JSON.parse(line);
}

/** A result of 10 kB. */
const LARGE = JSON.stringify({ content: 'A line of a file that is not small any more.\n'.repeat(220) });
const long = await writeLog(Number(events));
const short = await writeLog(SHORT);
const results = {
  appends: await measureAppends(false),
  durable: await measureAppends(true),
  large: await measureAppends(false, LARGE),
  largeDurable: await measureAppends(true, LARGE),
  growth: await measureGrowth(),
  opening: await measureOpening(long),
  index: await measureIndex(long),
  length: await measurePairs(
    Number(rounds),
    () => openingTime(long),
    () => openingTime(short),
  ),
  end: await measurePairs(
    Number(rounds),
    () => store.readEnd(long),
    () => store.readEnd(short),
  ),
  folding: await measureFolding(long),
};
console.log(JSON.stringify(results));
