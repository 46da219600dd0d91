import type { Bench } from '../lib/bench.ts';
import { type Row, rowOfPairs } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';
import type { Pairs } from '../programs/timing.ts';

const ROUNDS = 9;
const LIMIT = 0.5;

/** Measures how much of a long history the next request translates again, for each provider. */
export async function history(bench: Bench): Promise<readonly Row[]> {
  const program = await bundleProgram('history', bench.folder);
  const args = [String(bench.rounds(ROUNDS))];
  const times = await runProgram<Readonly<Record<string, Pairs>>>(program, args);
  return Object.entries(times).map(([protocol, { ours, reference }]) => {
    const figure = `history: ${protocol}, the request after 1,000 turns, beside building it anew`;
    return rowOfPairs({ figure, unit: 'ms', limit: LIMIT }, ours, reference);
  });
}
