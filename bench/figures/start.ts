import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../../scripts/lib/logged-process.mjs';
import { inRepository } from '../../scripts/lib/paths.mjs';
import type { Bench } from '../lib/bench.ts';
import { beginRun, readNoted } from '../lib/gaps.ts';
import { startModelServer } from '../lib/model-server.ts';
import { type Row, rowOfPairs } from '../lib/report.ts';
import { bundleProgram } from '../lib/run-program.ts';

const ROUNDS = 12;

/**
 * Measures from the start of the process to its first request, for `harness exec` and for a script with the
 * official SDK.
 */
export async function start(bench: Bench): Promise<readonly Row[]> {
  const server = await startModelServer();
  const home = await mkdtemp(path.join(bench.folder, 'home-'));
  const env = { ...process.env, ANTHROPIC_API_KEY: 'bench', HARNESS_HOME: home };
  const exec = ['exec', '--base-url', server.url, '--cwd', bench.folder, 'Say that you are done.'];
  const commands = {
    ours: [path.join(bench.extensions, 'harness', 'dist', 'cli.js'), ...exec],
    script: [inRepository('bench', 'programs', 'bare-start.ts'), server.url],
    bundled: [await bundleProgram('bare-start', bench.folder), server.url],
  };
  const times = { ours: [] as number[], script: [] as number[], bundled: [] as number[] };
  for (let round = 0; round < bench.rounds(ROUNDS); round++) {
    for (const name of ['ours', 'script', 'bundled'] as const) {
      times[name].push(await timeToRequest(server.url, commands[name], env));
    }
  }
  await server.stop();
  const figure = 'start of harness exec until its first request';
  return [
    rowOfPairs({ figure: `${figure}, beside a script`, unit: 'ms', limit: 1.5 }, times.ours, times.script),
    rowOfPairs({ figure: `${figure}, beside a bundled one`, unit: 'ms' }, times.ours, times.bundled),
  ];
}

/** Milliseconds. */
async function timeToRequest(
  url: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  await beginRun(url, 0);
  const started = process.hrtime.bigint();
  await runCommand('The program', process.execPath, [...command], { env });
  const { arrived } = await readNoted(url);
  return Number(BigInt(arrived) - started) / 1e6;
}
