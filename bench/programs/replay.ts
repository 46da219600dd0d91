// Records a session and replays it. Arguments: a folder, and rounds. Prints as JSON the milliseconds of a
// recorded run at a model's speed, and those of each replay.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunSettings } from '../../extension/core/loop/run-settings.ts';
import type { ModelEvent, ModelProvider } from '../../extension/core/ports/model.ts';
import { compose } from '../../extension/headless/compose.ts';
import { replayRecording } from '../../extension/node/recording/read-recording.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { openRecorded } from '../../test/support/open-recorded.ts';
import { timeOf } from './timing.ts';

const [folder = '', rounds = '1'] = process.argv.slice(2);
const file = join(folder, 'recording.jsonl');
const TURNS = 4;
const WORDS = 100;
const { ports, cwd, sessions } = await compose(folder, 'ask');
const store = sessions();
const never = new AbortController().signal;
await writeFile(join(cwd, 'small.txt'), 'A small file.\n');

/** Reads a file in each turn but the last. Its words come `delayMs` apart. */
function model(delayMs: number): ModelProvider {
  let turn = 0;
  return {
    name: 'bench',
    listModels: async () => [],
    async *streamTurn(): AsyncGenerator<ModelEvent> {
      turn += 1;
      for (let word = 0; word < WORDS; word++) {
        if (delayMs > 0) await systemClock.sleep(delayMs, never);
        yield { type: 'text_delta', text: 'word ' };
      }
      yield { type: 'text', text: 'word '.repeat(WORDS) };
      if (turn < TURNS)
        yield { type: 'tool_call', id: `call_${turn}`, name: 'read', input: { path: 'small.txt' } };
      yield { type: 'done', stop: turn < TURNS ? 'tool_calls' : 'end' };
    },
  };
}

async function run(delayMs: number): Promise<void> {
  const log = await store.create({ cwd, product: 'bench' });
  await rm(file, { force: true });
  const { session, close } = await openRecorded(file, log, store.lines(log.id), ports);
  const settings = async (): Promise<RunSettings> => ({
    provider: model(delayMs),
    model: 'bench',
    system: 'Work.',
    maxTokens: 4096,
    maxTurns: 10,
    maxToolCallsPerTurn: 15,
    timeoutMs: 30_000,
  });
  const reason = await session.prompt('Read the file.', settings);
  if (reason !== 'done') throw new Error(`The run ended with ${reason}.`);
  await close();
}

async function replay(): Promise<void> {
  const result = await replayRecording(file);
  if (!result.equal) throw result.divergence;
}

const recording = await timeOf(() => run(20));
const bytes = (await readFile(file)).length;
await replay();
const replays: number[] = [];
for (let round = 0; round < Number(rounds); round++) replays.push(await timeOf(replay));
console.log(JSON.stringify({ recording, bytes, replays }));
