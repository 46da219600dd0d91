import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../lib/bench.ts';
import { type Row, rowOf, rowOfPairs } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';
import { writeTree } from '../lib/write-tree.ts';
import type { Pairs } from '../programs/timing.ts';

const ROUNDS = 15;
/** For 60,000 files. */
const LARGE_FOLDERS = 600;
/** Bytes; the storage limit for 1,000 edits of a file of 1 MB. */
const STORAGE = 20_000_000;

interface Results {
  readonly snapshot: Pairs;
  readonly baseline: number;
  readonly scan: Pairs;
  readonly firstCommand: number;
  readonly command: Pairs;
  readonly storage: number;
  readonly storageOfCommands: number;
}

/** Measures the time and the storage that make a change undoable. */
export async function undo(bench: Bench): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(bench.folder, 'undo-'));
  await writeTree(path.join(folder, 'tree'));
  await writeTree(path.join(folder, 'large'), LARGE_FOLDERS);
  const program = await bundleProgram('undo', bench.folder);
  const args = [folder, String(bench.rounds(ROUNDS))];
  const { snapshot, baseline, scan, firstCommand, command, ...kept } = await runProgram<Results>(
    program,
    args,
  );
  const scanned = 'undo: 20,000 files scanned around a command';
  const inLarge = 'undo: `bash` with `true` in 60,000 files';
  return [
    rowOfPairs(
      { figure: 'undo: a change of 1 MB kept, beside two copies', unit: 'ms', limit: 3 },
      snapshot.ours,
      snapshot.reference,
    ),
    rowOf({ figure: 'undo: 1,000 edits of 1 MB', unit: 'MB', limit: 1 }, kept.storage / 1e6, STORAGE / 1e6),
    rowOf(
      { figure: 'undo: 1,000 edits of 1 MB by commands, and as many by the user', unit: 'MB', limit: 1 },
      kept.storageOfCommands / 1e6,
      STORAGE / 1e6,
    ),
    rowOfPairs({ figure: `${scanned}, beside a bare walk`, unit: 'ms', limit: 2 }, scan.ours, scan.reference),
    rowOfPairs(
      { figure: `${inLarge}, beside one without undo`, unit: 'ms', limit: 3 },
      command.ours,
      command.reference,
    ),
    rowOf({ figure: `${inLarge}, the first time`, unit: 'ms' }, firstCommand, command.reference[0] ?? 0),
    rowOf({ figure: `${scanned}, the first time`, unit: 'ms' }, baseline, scan.reference[0] ?? 0),
  ];
}
