// Measures a reply of ten reads against a reply with the slowest of them alone, in a session with its log and
// gate: from the end of the reply to the next request. Arguments: a folder, rounds, and the milliseconds that
// a file's storage takes to answer. Prints milliseconds as JSON.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { RunSettings } from '../../extension/core/loop/run-settings.ts';
import type { ModelEvent, ModelProvider } from '../../extension/core/ports/model.ts';
import type { Workspace } from '../../extension/core/ports/workspace.ts';
import { Session } from '../../extension/core/session/session.ts';
import { compose } from '../../extension/headless/compose.ts';
import { addPair, noPairs } from './timing.ts';

const [folder = '', rounds = '1', latency = '0'] = process.argv.slice(2);
const LARGE = 'large.txt';
const LARGE_LINES = 80_000;
const SMALL_LINES = 40;
const SMALL = Array.from({ length: 9 }, (_, index) => `small-${index}.txt`);
/** The slowest one is in the middle. */
const TEN = [...SMALL.slice(0, 5), LARGE, ...SMALL.slice(5)];

const line = 'A line of a file that is as long as lines of code are, some more.\n';
for (const name of TEN)
  await writeFile(join(folder, name), line.repeat(name === LARGE ? LARGE_LINES : SMALL_LINES));
const composed = await compose(folder, 'bypass');
const ports = { ...composed.ports, workspace: slowed(composed.ports.workspace) };
const store = composed.sessions();

/** The workspace on a storage that takes its time, like a network drive. */
function slowed(workspace: Workspace): Workspace {
  const read: Workspace['read'] = async (path, limit) => {
    if (latency !== '0') await setTimeout(Number(latency));
    return workspace.read(path, limit);
  };
  return new Proxy(workspace, {
    get(target, name) {
      const member: unknown = name === 'read' ? read : Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** Reads the files in one reply, and notes the time until the next request. */
function reader(paths: readonly string[], note: (milliseconds: number) => void): ModelProvider {
  let replied: number | undefined;
  return {
    name: 'bench',
    listModels: async () => [],
    async *streamTurn(): AsyncGenerator<ModelEvent> {
      if (replied !== undefined) {
        note(performance.now() - replied);
        yield { type: 'text', text: 'I have read them.' };
        yield { type: 'done', stop: 'end' };
        return;
      }
      for (const path of paths) yield { type: 'tool_call', id: path, name: 'read', input: { path } };
      replied = performance.now();
      yield { type: 'done', stop: 'tool_calls' };
    },
  };
}

async function measure(paths: readonly string[]): Promise<number> {
  let milliseconds = Number.NaN;
  const provider = reader(paths, (noted) => {
    milliseconds = noted;
  });
  const session = await Session.open(await store.create({ cwd: composed.cwd, product: 'bench' }), ports);
  const settings = async (): Promise<RunSettings> => ({
    provider,
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
  return milliseconds;
}

const pairs = noPairs();
for (let round = 0; round <= Number(rounds); round++) {
  const [ten, one] = [await measure(TEN), await measure([LARGE])];
  // The first round warms everything up.
  if (round > 0) addPair(pairs, ten, one);
}
await composed.close();
console.log(JSON.stringify(pairs));
process.exit(0);
