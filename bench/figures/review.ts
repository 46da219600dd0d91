import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../lib/bench.ts';
import { type Row, rowOf } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';

/** What it costs to open the review of a file that was edited very often. */
export async function review(bench: Bench): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(bench.folder, 'review-'));
  const program = await bundleProgram('review', bench.folder);
  const { fold, reading } = await runProgram<{ fold: number; reading: number }>(program, [folder]);
  const figure = 'review: 1,000 edits of 1 MB, the first time, beside reading each version';
  return [rowOf({ figure, unit: 'ms', limit: 2.5 }, fold, reading)];
}
