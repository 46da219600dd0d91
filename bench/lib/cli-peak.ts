import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { reportedPeak, reportingPeak } from '../../test/support/peak-memory.ts';
import type { Bench } from './bench.ts';

/** The peak memory of `harness ARGS` in megabytes. Its output is read and dropped. */
export async function cliPeak(bench: Bench, home: string, args: readonly string[]): Promise<number> {
  const report = path.join(bench.folder, 'peak');
  const cli = path.join(bench.extensions, 'harness', 'dist', 'cli.js');
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...process.env, HARNESS_HOME: home, ...reportingPeak(report) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`harness ${args.join(' ')} has failed: ${stderr}`);
  return reportedPeak(report);
}
