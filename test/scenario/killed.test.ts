// A process that is killed at any moment: the next one finds everything that was told to be there, and goes on.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { ifPresent } from '../../extension/node/file-errors.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { checkInvariants } from '../support/crash/invariants.ts';
import { prepare, SECRET } from '../support/crash/session.ts';
import { randomFrom } from '../support/random-from.ts';
import { tempDir } from '../support/temp-dir.ts';

const KILLS = Number(process.env.HARNESS_KILLS ?? 60);
const SEED = Number(process.env.HARNESS_SEED ?? Date.now() % 1_000_000);
const AT_ONCE = 2;

/** One file, so that a process is there at once. */
async function bundleWorker(folder: string): Promise<string> {
  const outfile = join(folder, 'worker.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, '../support/crash/work-until-killed.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    loader: { '.md': 'text' },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return outfile;
}

async function startWorker(bundle: string, parent: string): Promise<{ child: ChildProcess; folder: string }> {
  const folder = await mkdtemp(join(parent, 'run-'));
  await prepare(folder);
  const child = fork(bundle, [folder], {
    env: { PATH: process.env.PATH, ANTHROPIC_API_KEY: SECRET },
    stdio: 'inherit',
  });
  await once(child, 'message');
  return { child, folder };
}

/** Resolves with how long the work takes when nobody disturbs it, in milliseconds. */
async function timeWhole(bundle: string, parent: string): Promise<number> {
  const { child } = await startWorker(bundle, parent);
  const start = performance.now();
  child.send('go');
  await once(child, 'exit');
  return performance.now() - start;
}

async function killAndCheck(bundle: string, parent: string, delay: number, why: string): Promise<number> {
  const { child, folder } = await startWorker(bundle, parent);
  child.send('go');
  const exited = once(child, 'exit');
  await Promise.race([sleep(delay), exited]);
  child.kill('SIGKILL');
  await exited;
  const told = (await ifPresent(readFile(join(folder, 'told.jsonl'), 'utf8'))) ?? '';
  const [session, ...acknowledged] = told
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
  if (typeof session === 'string') {
    // What the worker has written are events, each in a line.
    await checkInvariants({ folder, session, acknowledged: acknowledged as SessionEvent[], why });
  }
  await rm(folder, { recursive: true });
  return acknowledged.length;
}

test.skipIf(process.platform === 'win32')(
  'a process that is killed at any moment loses nothing that it told',
  async () => {
    const parent = await tempDir();
    const bundle = await bundleWorker(parent);
    const whole = await timeWhole(bundle, parent);
    const random = randomFrom(SEED);
    const delays = Array.from({ length: KILLS }, () => random() * whole);
    const lengths = new Set<number>();
    const batch = async () => {
      for (let delay = delays.pop(); delay !== undefined; delay = delays.pop()) {
        const why = `killed after ${delay.toFixed(1)} of ${whole.toFixed(0)} ms; HARNESS_SEED=${SEED}`;
        lengths.add(await killAndCheck(bundle, parent, delay, why));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, batch));
    expect(lengths.size, 'it was killed at many moments').toBeGreaterThan(Math.min(KILLS / 4, 15));
  },
);
