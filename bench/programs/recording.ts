// Measures what recording costs a working session: 30 turns, each with some words and a call of `read`,
// `edit` or `bash`. Arguments: a folder, and rounds. Prints as JSON the processor milliseconds of runs with
// and without a recording, alternating, and the bytes of one run's recording, log and blobs.
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SessionRecordings } from '../../extension/app/recordings/session-recordings.ts';
import type { RunSettings } from '../../extension/core/loop/run-settings.ts';
import type { ModelEvent, ModelProvider } from '../../extension/core/ports/model.ts';
import { Session } from '../../extension/core/session/session.ts';
import { compose } from '../../extension/headless/compose.ts';
import { logOf, recordingOf } from '../../extension/node/log/session-files.ts';
import { recordingsIn } from '../../extension/node/recording/recording-file.ts';
import { openHarnessHome } from '../../extension/node/settings/harness-home.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { measurePairs, processorTimeOf } from './timing.ts';

const [folder = '', rounds = '1'] = process.argv.slice(2);
const TURNS = 30;
const WORDS = 60;
const LINES = 200;
const { ports, cwd, sessions } = await compose(folder, 'bypass');
const store = sessions();
const root = (await openHarnessHome()).sessions;
const recordings = new SessionRecordings({
  openFile: recordingsIn(root, 'bench'),
  clock: systemClock,
  isWanted: () => true,
});
const line = (index: number) =>
  `export const value${index} = compute(${index}, 'some words of a source file');\n`;
await writeFile(join(cwd, 'source.ts'), Array.from({ length: LINES }, (_, index) => line(index)).join(''));

function callOf(turn: number): { readonly name: string; readonly input: Record<string, unknown> } {
  const startLine = turn + 1;
  const operation = {
    op: 'replace',
    startLine,
    endLine: startLine,
    content: [`// turn ${turn} of run ${runs}`],
  };
  if (turn % 3 === 0) return { name: 'read', input: { path: 'source.ts' } };
  if (turn % 3 === 1) return { name: 'edit', input: { path: 'source.ts', operations: [operation] } };
  return { name: 'bash', input: { command: 'head -n 40 source.ts; wc source.ts' } };
}

function model(): ModelProvider {
  let turn = 0;
  return {
    name: 'bench',
    listModels: async () => [],
    async *streamTurn(): AsyncGenerator<ModelEvent> {
      for (let word = 0; word < WORDS; word += 1) yield { type: 'text_delta', text: 'word ' };
      yield { type: 'text', text: 'word '.repeat(WORDS) };
      if (turn < TURNS) yield { type: 'tool_call', id: `call_${turn}`, ...callOf(turn) };
      yield { type: 'done', stop: turn < TURNS ? 'tool_calls' : 'end' };
      turn += 1;
    },
  };
}

let runs = 0;
let lastRecorded = '';

async function run(isRecorded: boolean): Promise<void> {
  runs += 1;
  const log = await store.create({ cwd, product: 'bench' });
  if (isRecorded) lastRecorded = log.id;
  const opened = isRecorded ? await recordings.begin(log, ports) : { log, ports, close: async () => {} };
  const session = await Session.open(opened.log, opened.ports);
  const settings = async (): Promise<RunSettings> => ({
    provider: model(),
    model: 'bench',
    system: 'Work.',
    maxTokens: 4096,
    maxTurns: 100,
    maxToolCallsPerTurn: 15,
    timeoutMs: 30_000,
  });
  const reason = await session.prompt('Work.', settings);
  if (reason !== 'done') throw new Error(`The run ended with ${reason}.`);
  await session.close();
  await opened.close();
}

async function bytesIn(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true }).catch(() => []);
  const stats = await Promise.all(names.map((name) => stat(join(path, name))));
  return stats.filter((each) => each.isFile()).reduce((sum, { size }) => sum + size, 0);
}

const cost = await measurePairs(
  Number(rounds),
  () => run(true),
  () => run(false),
  processorTimeOf,
);
const [recording, log] = await Promise.all(
  [recordingOf(root, lastRecorded), logOf(root, lastRecorded)].map(async (path) => (await stat(path)).size),
);
const blobs = await bytesIn(join(root, lastRecorded, 'blobs'));
console.log(JSON.stringify({ cost, recording, log, blobs }));
