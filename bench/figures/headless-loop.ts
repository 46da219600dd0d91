import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../lib/bench.ts';
import { type LoopRunResult, planRuns, rowsOfLoop } from '../lib/loop-runs.ts';
import { startModelServer } from '../lib/model-server.ts';
import type { Row } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';

const ROUNDS = 5;

/**
 * Measures what Harness's loop adds to a turn without a window: log, gate, audit and a panel's channel, in
 * plain Node.
 */
export async function headlessLoop(bench: Bench): Promise<readonly Row[]> {
  const program = await bundleProgram('headless-loop', bench.folder);
  const workspace = await makeSmallWorkspace(bench.folder);
  const server = await startModelServer();
  const rounds: LoopRunResult[][] = [];
  for (let round = 0; round < bench.rounds(ROUNDS); round++) {
    const env = { ANTHROPIC_API_KEY: 'bench', HARNESS_HOME: await mkdtemp(path.join(bench.folder, 'home-')) };
    const args = [server.url, workspace, JSON.stringify(planRuns(round))];
    rounds.push(await runProgram<LoopRunResult[]>(program, args, env));
  }
  await server.stop();
  return rowsOfLoop('plain Node', rounds);
}

/** Makes a folder with the file that the model requests. */
export async function makeSmallWorkspace(parent: string): Promise<string> {
  const folder = path.join(parent, 'small-workspace');
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'small.txt'),
    'A small file.\nIt has three lines,\nand this is the last.\n',
  );
  return folder;
}
