import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../lib/bench.ts';
import { type Row, rowOf, rowOfPairs } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';
import { median } from '../lib/statistics.ts';
import type { Pairs } from '../programs/timing.ts';

const ROUNDS = 9;
/** A replay must be at least this many times as fast as the run. */
const FASTER = 50;

interface Replays {
  /** Milliseconds. */
  readonly recording: number;
  readonly bytes: number;
  readonly replays: readonly number[];
}

/** Sizes in bytes. */
interface Recordings {
  readonly cost: Pairs;
  readonly recording: number;
  readonly log: number;
  readonly blobs: number;
}

/** Measures how fast a recorded session replays, and what the recording costs. */
export async function replay(bench: Bench): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(bench.folder, 'replay-'));
  const run = async <Results>(name: string) => {
    const program = await bundleProgram(name, bench.folder);
    const args = [folder, String(bench.rounds(ROUNDS))];
    return runProgram<Results>(program, args, { HARNESS_HOME: folder });
  };
  const { recording, bytes, replays } = await run<Replays>('replay');
  const session = await run<Recordings>('recording');
  const kept = session.log + session.blobs;
  return [
    rowOf(
      { figure: 'replay: beside a fiftieth of the recorded run', unit: 'ms', limit: 1 },
      median(replays),
      recording / FASTER,
    ),
    rowOfPairs(
      { figure: 'replay: processor time of 30 turns that are recorded, beside 30 that are not', unit: 'ms' },
      session.cost.ours,
      session.cost.reference,
    ),
    rowOf(
      { figure: 'replay: size of 30 recorded turns, beside their log and blobs alone', unit: 'kB' },
      (session.recording + kept) / 1000,
      kept / 1000,
    ),
    rowOf({ figure: 'replay: size of the recording of 400 words and 3 calls', unit: 'kB' }, bytes / 1000, 1),
  ];
}
