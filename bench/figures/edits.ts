import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { inRepository } from '../../scripts/lib/paths.mjs';
import type { Bench } from '../lib/bench.ts';
import { type Row, rowOf } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';
import type { Outcomes } from '../programs/edits.ts';

/** Real hunks for each variant. */
const HUNKS = 510;
/** Percent of the hunks that may be refused. */
const MOST_REFUSED = 3;

/** Plays real changes through `edit` as models would write them. */
export async function edits(bench: Bench): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(bench.folder, 'edits-'));
  const program = await bundleProgram('edits', bench.folder);
  const args = [inRepository(), folder, String(bench.rounds(HUNKS))];
  const results = await runProgram<Readonly<Record<string, Outcomes>>>(program, args);
  console.log(`\n${tableOf(results)}\n`);
  return Object.entries(results).flatMap(([name, outcomes]) => rowsOf(name, outcomes));
}

function rowsOf(name: string, outcomes: Outcomes): Row[] {
  const { right, refused, elsewhere, wrong } = outcomes;
  const hunks = right + refused + elsewhere + wrong;
  const row = (what: string, limit: number, share: number, most: number) =>
    rowOf({ figure: `edits: ${name}, ${what}`, unit: '%', limit }, (100 * share) / hunks, most);
  const rows = [row('applied wrongly', 0, wrong, 100)];
  if (outcomes.isAmbiguous) return [...rows, row('not refused at its place', 0, hunks - refused, 100)];
  return [...rows, row('not applied', 1, hunks - right, MOST_REFUSED)];
}

function tableOf(results: Readonly<Record<string, Outcomes>>): string {
  const rows = Object.entries(results).map(([name, { right, refused, elsewhere, wrong }]) =>
    [name, right, refused, elsewhere, wrong].map(String),
  );
  const cells = [['edits', 'applied right', 'refused at its place', 'refused otherwise', 'wrong'], ...rows];
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  return cells
    .map(([name = '', ...counts]) =>
      [name.padEnd(widths[0] ?? 0), ...counts.map((count, at) => count.padStart(widths[at + 1] ?? 0))].join(
        '  ',
      ),
    )
    .join('\n');
}
