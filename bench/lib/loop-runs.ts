// Runs Harness's loop against the bare one, and reports the results.
import { type Row, rowOf, rowOfPairs } from './report.ts';
import { median } from './statistics.ts';

export interface LoopRun {
  readonly loop: 'ours' | 'bare';
  readonly turns: number;
}

export interface LoopRunResult extends LoopRun {
  /** Milliseconds from the end of each reply to the next request. */
  readonly gaps: readonly number[];
}

const SHORT = 50;
const LONG = 500;
/** The number of turns at each end of a long run that are compared. */
const ENDS = 50;

/**
 * The runs of one process. The short ones come first and warm it up for the long ones. Every second process
 * reverses the order.
 */
export function planRuns(round: number): LoopRun[] {
  const loops = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
  return [SHORT, LONG].flatMap((turns) => loops.map((loop) => ({ loop, turns })));
}

/** @param rounds the results of each process */
export function rowsOfLoop(place: string, rounds: readonly (readonly LoopRunResult[])[]): Row[] {
  const turn = { figure: `loop, ${place}: a tool turn of ${SHORT}`, unit: 'ms', limit: 4 } as const;
  const growth = { figure: `loop, ${place}: growth over ${LONG} turns`, unit: '×', limit: 1.2 } as const;
  return [
    rowOfPairs(turn, overheads(rounds, 'ours'), overheads(rounds, 'bare')),
    rowOf(growth, growthOf(rounds, 'ours'), growthOf(rounds, 'bare')),
  ];
}

type Rounds = readonly (readonly LoopRunResult[])[];

function overheads(rounds: Rounds, loop: LoopRun['loop']): number[] {
  return rounds.map((runs) => median(gapsOf(runs, loop, SHORT)));
}

/**
 * Compares the last turns with the first ones, each from the least disturbed round, because the machine's
 * other work varies.
 */
function growthOf(rounds: Rounds, loop: LoopRun['loop']): number {
  const runs = rounds.map((round) => gapsOf(round, loop, LONG));
  const first = runs.map((gaps) => median(gaps.slice(0, ENDS)));
  const last = runs.map((gaps) => median(gaps.slice(-ENDS)));
  return Math.min(...last) / Math.min(...first);
}

function gapsOf(runs: readonly LoopRunResult[], loop: LoopRun['loop'], turns: number): readonly number[] {
  const run = runs.find((candidate) => candidate.loop === loop && candidate.turns === turns);
  if (run?.gaps.length !== turns) throw new Error(`A run of ${turns} turns had ${run?.gaps.length}.`);
  return run.gaps;
}
