import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../lib/bench.ts';
import { cliPeak } from '../lib/cli-peak.ts';
import { type Row, rowOf, rowOfPairs } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';
import { median } from '../lib/statistics.ts';
import type { Pairs } from '../programs/timing.ts';

const ROUNDS = 9;
const APPENDS = 500;
const EVENTS = 100_000;
/** Messages in the largest log, of 10 kB each; a third in a quick run. */
const MESSAGES = 100_000;

interface LogTimes
  extends Record<
    'appends' | 'durable' | 'large' | 'largeDurable' | 'growth' | 'opening' | 'index' | 'length' | 'end',
    Pairs
  > {
  readonly folding: readonly number[];
}

/**
 * Measures one append against a bare write of the same bytes, the opening of a long log, and a log and a list
 * of extreme size.
 */
export async function log(bench: Bench): Promise<readonly Row[]> {
  return [...(await longLog(bench)), ...(await largeLog(bench))];
}

async function longLog(bench: Bench): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(bench.folder, 'log-'));
  const args = [folder, ...[bench.rounds(ROUNDS), APPENDS, EVENTS].map(String)];
  const program = await bundleProgram('log', bench.folder);
  const times = await runProgram<LogTimes>(program, args, { HARNESS_HOME: folder });
  const { appends, durable, large, largeDurable, growth, opening, index, length, end, folding } = times;
  await rm(folder, { recursive: true });
  return [
    rowEach('log: append of an event', appends, APPENDS, 2),
    rowEach('log: append of an event, on the disk then', durable, APPENDS, 2),
    rowEach('log: append of an event of 10 kB', large, APPENDS),
    rowEach('log: append of an event of 10 kB, on the disk then', largeDurable, APPENDS, 2),
    rowEach('log: append to a million events, beside 10,000', growth, APPENDS, 1.2),
    rowEach('log: an event of 100,000 read and folded', opening, EVENTS),
    rowOfPairs(
      { figure: 'log: opening 100,000 events by the index, beside without', unit: 'ms', limit: 0.5 },
      index.ours,
      index.reference,
    ),
    rowOfPairs(
      { figure: 'log: opening 100,000 events by the index, beside 10,000', unit: 'ms' },
      length.ours,
      length.reference,
    ),
    rowOfPairs(
      { figure: 'log: the end of 100,000 events, beside 10,000', unit: 'ms' },
      end.ours,
      end.reference,
    ),
    rowOf({ figure: 'log: folding 100,000 events', unit: 'ms', limit: 1 }, median(folding), 1_000),
  ];
}

function rowEach(figure: string, { ours, reference }: Pairs, count: number, limit?: number): Row {
  const each = (times: readonly number[]) => times.map((time) => (time * 1000) / count);
  return rowOfPairs(
    { figure, unit: 'µs', ...(limit !== undefined && { limit }) },
    each(ours),
    each(reference),
  );
}

async function largeLog(bench: Bench): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(bench.folder, 'large-log-'));
  const program = await bundleProgram('large-log', bench.folder);
  const run = <Result>(...args: readonly string[]) => runProgram<Result>(program, args);
  const id = await run<string>('write', folder, String(bench.rounds(MESSAGES)));
  const { painting, opening, peak } = await run<Record<'painting' | 'opening' | 'peak', number>>(
    'open',
    folder,
  );
  const first = await run<{ listing: number }>('list', folder);
  const { listing } = await run<{ listing: number }>('list', folder);
  const verbs = await peaksOfVerbs(bench, folder, id);
  await rm(folder, { recursive: true });
  return [
    rowOf({ figure: 'log: until the end of 1 GB is there', unit: 'ms', limit: 1 }, painting, 3_000),
    rowOf({ figure: 'log: the whole of 1 GB read for the first time', unit: 'ms' }, opening, 3_000),
    rowOfPeak('has opened', peak),
    ...Object.entries(verbs).map(([verb, megabytes]) => rowOfPeak(verb, megabytes)),
    rowOf({ figure: 'log: a list of 2,000 sessions', unit: 'ms', limit: 1 }, listing, 500),
    rowOf({ figure: 'log: the same, made for the first time', unit: 'ms' }, first.listing, 500),
  ];
}

/** Of the `harness sessions` commands that read the whole largest log. */
async function peaksOfVerbs(bench: Bench, home: string, id: string) {
  const there = path.join(home, 'there');
  const file = path.join(home, 'large.harness-session');
  return {
    shows: await cliPeak(bench, home, ['sessions', 'show', id]),
    exports: await cliPeak(bench, home, ['sessions', 'export', id, file]),
    imports: await cliPeak(bench, there, ['sessions', 'import', file]),
  };
}

function rowOfPeak(does: string, megabytes: number): Row {
  const figure = `log: the process that ${does} 1 GB, at its largest`;
  return rowOf({ figure, unit: 'MB', limit: 1 }, megabytes, 300);
}
