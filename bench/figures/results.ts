import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../lib/bench.ts';
import { type Row, rowOfPairs } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';
import type { Pairs } from '../programs/timing.ts';

const ROUNDS = 15;
const LIMIT = 1.5;
/** Milliseconds in which a slow storage answers. */
const LATENCY = 50;

/** Measures how results come together: the reads of one reply, and the rendering of long results. */
export async function results(bench: Bench): Promise<readonly Row[]> {
  return [
    rowOf('results: a reply of ten reads, beside its slowest one', await reads(bench, 0)),
    rowOf(`results: the same, from a storage that takes ${LATENCY} ms`, await reads(bench, LATENCY)),
    ...(await rendering(bench)),
  ];
}

async function reads(bench: Bench, latency: number): Promise<Pairs> {
  const program = await bundleProgram('reads', bench.folder);
  const [folder, home] = [
    await mkdtemp(path.join(bench.folder, 'reads-')),
    await mkdtemp(path.join(bench.folder, 'home-')),
  ];
  const args = [folder, String(bench.rounds(ROUNDS)), String(latency)];
  return runProgram<Pairs>(program, args, { HARNESS_HOME: home });
}

async function rendering(bench: Bench): Promise<readonly Row[]> {
  const program = await bundleProgram('rendering', bench.folder);
  const args = [String(bench.rounds(ROUNDS))];
  const times = await runProgram<Readonly<Record<string, Pairs>>>(program, args);
  return Object.entries(times).map(([tool, pairs]) =>
    rowOf(`results: rendering 1,000,000 characters of ${tool}, beside 100,000 at a time`, pairs),
  );
}

function rowOf(figure: string, { ours, reference }: Pairs): Row {
  return rowOfPairs({ figure, unit: 'ms', limit: LIMIT }, ours, reference);
}
