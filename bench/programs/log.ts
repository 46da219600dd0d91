// The session log beside the least that could be done. Arguments: a folder, rounds, appends of a round, and events of a
// long log. Prints milliseconds of each round as JSON.
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Session } from '../../extension/core/session/session.ts';
import { compose } from '../../extension/headless/compose.ts';
import { JsonlSessionStore } from '../../extension/node/jsonl-session-store.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { measurePairs, type Pairs } from './timing.ts';

const [folder = '', rounds = '1', appends = '1', events = '1'] = process.argv.slice(2);
const store = new JsonlSessionStore(folder, systemClock);
const start = { cwd: folder, product: 'bench' };
const draft: EventDraft = {
  type: 'tool_result',
  id: 'toolu_1',
  result: JSON.stringify({ content: 'A small file.\nIt has three lines,\nand this is the last.\n' }),
  isError: false,
  milliseconds: 3,
};

async function measureAppends(): Promise<Pairs> {
  const log = await store.create(start);
  const bare = await open(join(folder, 'bare.jsonl'), 'a');
  const line = Buffer.from(`${JSON.stringify((await log.append([draft]))[0])}\n`);
  const repeat = async (append: () => Promise<unknown>) => {
    for (let index = 0; index < Number(appends); index++) await append();
  };
  const pairs = await measurePairs(
    Number(rounds),
    () => repeat(() => log.append([draft])),
    () => repeat(() => bare.write(line)),
  );
  await bare.close();
  await log.close();
  return pairs;
}

async function measureOpening(): Promise<Pairs> {
  const id = await writeLongLog();
  const { ports } = await compose(folder, 'ask');
  const path = join(folder, id, 'events.jsonl');
  return measurePairs(
    Number(rounds),
    async () => (await Session.open(await store.open(id), ports)).close(),
    () => parseLines(path),
  );
}

async function writeLongLog(): Promise<string> {
  const log = await store.create(start);
  const turn: EventDraft[] = [
    { type: 'request_started', request: 1, provider: 'anthropic', model: 'bench' },
    { type: 'text', content: 'I read the file once more, to see what it says.' },
    { type: 'tool_call', id: 'toolu_1', name: 'read', input: { path: 'small.txt' } },
    { type: 'request_ended', request: 1, outcome: 'completed', stop: 'tool_calls' },
    draft,
  ];
  const drafts = Array.from({ length: 200 }, () => turn).flat();
  for (let written = 0; written < Number(events); written += drafts.length) await log.append(drafts);
  await log.close();
  return log.id;
}

async function parseLines(path: string): Promise<void> {
  for (const line of (await readFile(path, 'utf8')).trimEnd().split('\n')) JSON.parse(line);
}

console.log(JSON.stringify({ appends: await measureAppends(), opening: await measureOpening() }));
