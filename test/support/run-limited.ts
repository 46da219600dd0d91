// A program of the tests in a process of its own, with as much memory as it is given.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { tempDir } from './temp-dir.ts';

/** Runs the TypeScript program at `entry` with a heap of so many megabytes; resolves with the JSON value that it prints. */
export async function runLimited<Result>(
  entry: string,
  megabytes: number,
  args: readonly string[],
): Promise<Result> {
  const outfile = join(await tempDir(), 'program.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    loader: { '.md': 'text' },
    logLevel: 'error',
  });
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${megabytes}`,
    outfile,
    ...args,
  ]);
  // Each program is ours and says in its first lines what it prints.
  return JSON.parse(stdout) as Result;
}
