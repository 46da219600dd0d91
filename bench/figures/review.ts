import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../lib/bench.ts';
import { type Row, rowOf } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';

/** Measures the opening of the review of a file with very many edits. */
export async function review(bench: Bench): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(bench.folder, 'review-'));
  const program = await bundleProgram('review', bench.folder);
  const { fold, reading } = await runProgram<{ fold: number; reading: number }>(program, [folder]);
  const figure = 'review: 1,000 edits of 1 MB, the first time, beside reading each version';
  return [rowOf({ figure, unit: 'ms', limit: 2.5 }, fold, reading)];
}
