import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../lib/bench.ts';
import { type Row, rowOfPairs } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';
import type { Pairs } from '../programs/timing.ts';

const ROUNDS = 9;
const APPENDS = 500;
const EVENTS = 100_000;

/** One append beside a bare write of the same bytes, and opening a long log beside parsing its lines. */
export async function log(bench: Bench): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(bench.folder, 'log-'));
  const args = [folder, ...[bench.rounds(ROUNDS), APPENDS, EVENTS].map(String)];
  const program = await bundleProgram('log', bench.folder);
  const { appends, opening } = await runProgram<Record<'appends' | 'opening', Pairs>>(program, args, {
    HARNESS_HOME: folder,
  });
  return [
    rowOf('log: append of an event', appends, APPENDS),
    rowOf('log: an event of 100,000 read and folded', opening, EVENTS),
  ];
}

function rowOf(figure: string, { ours, reference }: Pairs, count: number): Row {
  const each = (times: readonly number[]) => times.map((time) => (time * 1000) / count);
  return rowOfPairs({ figure, unit: 'µs' }, each(ours), each(reference));
}
