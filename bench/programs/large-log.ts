// A session of extreme size, among very many. Arguments: the action, a folder, and for `write` the number of
// messages in the large one. `write` creates them and prints its id, `open` opens the large one, `list` lists
// all. Prints the cost as JSON.
import { join } from 'node:path';
import { SessionFold } from '../../extension/core/log/session-fold.ts';
import { LogWindow } from '../../extension/core/view/log-window.ts';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { writeLargeLog } from '../../test/support/large-log.ts';
import { peakMemory } from '../../test/support/peak-memory.ts';
import { timeOf } from './timing.ts';

const SESSIONS = 2_000;
const LARGE = '20260101000000-00000000';

const [what, folder = '', messages = '0'] = process.argv.slice(2);
const store = new JsonlSessionStore(join(folder, 'sessions'), systemClock);

async function write(): Promise<unknown> {
  const root = join(folder, 'sessions');
  const count = Number(messages);
  await writeLargeLog(root, {
    id: LARGE,
    messages: count,
    length: 7_900,
    longest: Math.min(2_000 * count, 15_000_000),
  });
  for (let session = 1; session < SESSIONS; session += 1) {
    await writeLargeLog(root, {
      id: `20260101000000-small-${session}`,
      messages: 10,
      length: 500,
      longest: 1_000,
    });
  }
  return LARGE;
}

async function openLarge(): Promise<unknown> {
  const painting = await timeOf(() => store.readEnd(LARGE));
  const opening = await timeOf(async () => {
    const log = await store.open(LARGE);
    new SessionFold().apply(log.past);
    new LogWindow(log.past);
    process.on('beforeExit', () => void log);
  });
  return { painting, opening, peak: peakMemory() };
}

async function list(): Promise<unknown> {
  return { listing: await timeOf(() => store.list()) };
}

const work = new Map(Object.entries({ write, open: openLarge, list })).get(what ?? '');
console.log(JSON.stringify((await work?.()) ?? null));
