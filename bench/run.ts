// Lists the figures, and runs some or all of them.
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { inRepository } from '../scripts/lib/paths.mjs';
import { activation } from './figures/activation.ts';
import { adapters } from './figures/adapters.ts';
import { edits } from './figures/edits.ts';
import { history } from './figures/history.ts';
import { idle } from './figures/idle.ts';
import { log } from './figures/log.ts';
import { longSession } from './figures/long-session.ts';
import { loop } from './figures/loop.ts';
import { recovery } from './figures/recovery.ts';
import { replay } from './figures/replay.ts';
import { results } from './figures/results.ts';
import { review } from './figures/review.ts';
import { sizes } from './figures/sizes.ts';
import { start } from './figures/start.ts';
import { stream } from './figures/stream.ts';
import { tokens } from './figures/tokens.ts';
import { tools } from './figures/tools.ts';
import { undo } from './figures/undo.ts';
import { view } from './figures/view.ts';
import { type Figure, makeBench } from './lib/bench.ts';
import { formatTable, type Row } from './lib/report.ts';

const figures = new Map<string, Figure>(
  Object.entries({
    sizes,
    tokens,
    start,
    tools,
    results,
    edits,
    review,
    undo,
    log,
    adapters,
    history,
    stream,
    activation,
    view,
    'long-session': longSession,
    recovery,
    replay,
    idle,
    loop,
  }),
);

/**
 * @param only names of figures; by default, all
 * @returns the exit code: 0 if no limit is exceeded
 */
export async function runBench(only: readonly string[] | undefined, quick: boolean): Promise<number> {
  const names = only ?? [...figures.keys()];
  const unknown = names.filter((name) => !figures.has(name));
  if (unknown.length > 0) {
    throw new Error(`No such figure: ${unknown.join(', ')}. There are ${[...figures.keys()].join(', ')}.`);
  }
  const rows = await measure(names, quick);
  await save(rows, quick);
  console.log(`\n${formatTable(rows)}`);
  return rows.every((row) => row.passed) ? 0 : 1;
}

async function measure(names: readonly string[], quick: boolean): Promise<Row[]> {
  const bench = await makeBench(quick);
  const rows: Row[] = [];
  for (const name of names) {
    const started = Date.now();
    rows.push(...((await figures.get(name)?.(bench)) ?? []));
    console.log(`${name}: ${((Date.now() - started) / 1000).toFixed(0)} s`);
  }
  return rows;
}

async function save(rows: readonly Row[], quick: boolean): Promise<void> {
  const machine = { platform: process.platform, cores: cpus().length, model: cpus()[0]?.model };
  const measured = { date: new Date().toISOString(), quick, node: process.version, machine, rows };
  await mkdir(inRepository('out', 'bench'), { recursive: true });
  await writeFile(inRepository('out', 'bench', 'results.json'), `${JSON.stringify(measured, null, 2)}\n`);
}
