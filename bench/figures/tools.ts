import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { binPathFor } from '@vscode/ripgrep-universal';
import type { Bench } from '../lib/bench.ts';
import { type Row, rowOfPairs } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';
import { line, writeTree } from '../lib/write-tree.ts';
import type { Pairs } from '../programs/timing.ts';

type Times = Readonly<Record<'read' | 'edit' | 'editText' | 'grep', Pairs>>;

const ROUNDS = 15;
const LARGE_BYTES = 5 * 1024 * 1024;

/**
 * Measures each tool, prepared and executed as in the loop, against the program or code that does the bare
 * work.
 */
export async function tools(bench: Bench): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(bench.folder, 'tools-'));
  await writeFile(path.join(folder, 'large.txt'), line.repeat(Math.ceil(LARGE_BYTES / line.length)));
  await writeTree(path.join(folder, 'tree'));
  const ripgrep = binPathFor({ os: process.platform, arch: process.arch });
  const program = await bundleProgram('tools', bench.folder);
  const args = [folder, String(bench.rounds(ROUNDS)), ripgrep];
  const { read, edit, editText, grep } = await runProgram<Times>(program, args);
  return [
    rowOf('tools: read of 5 MB, beside cat', 2, read),
    rowOf('tools: edit of a line in 5 MB, beside a rewrite', 4, edit),
    rowOf('tools: edit by text in 5 MB, beside finding and writing it', 2, editText),
    rowOf('tools: grep over 20,000 files, beside ripgrep', 1.5, grep),
  ];
}

function rowOf(figure: string, limit: number, { ours, reference }: Pairs): Row {
  return rowOfPairs({ figure, unit: 'ms', limit }, ours, reference);
}
