import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../lib/bench.ts';
import { type Row, rowOf, rowOfPairs } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';
import { median } from '../lib/statistics.ts';
import type { Pairs } from '../programs/timing.ts';

const ROUNDS = 9;
/** A replay is to be at least so many times as fast as the run. */
const FASTER = 50;

interface Results {
  readonly recording: number;
  readonly bytes: number;
  readonly replays: readonly number[];
  readonly cost: Pairs;
}

/** How fast a recorded session plays again, and what it costs to record it. */
export async function replay(bench: Bench): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(bench.folder, 'replay-'));
  const program = await bundleProgram('replay', bench.folder);
  const args = [folder, String(bench.rounds(ROUNDS))];
  const { recording, bytes, replays, cost } = await runProgram<Results>(program, args, {
    HARNESS_HOME: folder,
  });
  return [
    rowOf(
      { figure: 'replay: beside a fiftieth of the recorded run', unit: 'ms', limit: 1 },
      median(replays),
      recording / FASTER,
    ),
    rowOfPairs(
      { figure: 'replay: a run at full speed that is recorded, beside one that is not', unit: 'ms' },
      cost.ours,
      cost.reference,
    ),
    rowOf({ figure: 'replay: size of the recording of 400 words and 3 calls', unit: 'kB' }, bytes / 1000, 1),
  ];
}
