// A process that is killed at any moment: the next one finds everything that was told to be there, and goes on.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ifPresent } from '../../extension/node/fs/file-errors.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { bundleTo } from '../support/crash/bundle.ts';
import { checkInvariants } from '../support/crash/invariants.ts';
import { prepare, SECRET } from '../support/crash/session.ts';
import { memoryDir } from '../support/memory-dir.ts';
import { randomFrom } from '../support/random-from.ts';

const KILLS = Number(process.env.HARNESS_KILLS ?? 300);
const SEED = Number(process.env.HARNESS_SEED ?? Date.now() % 1_000_000);
/** Two that work or wait for their turn, and one that is looked at. */
const AT_ONCE = 3;
const NEVER = 1_000_000;

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

/** How long all the work takes when nobody disturbs it, in milliseconds, and in operations on files. */
async function measureWhole(bundle: string, parent: string) {
  const { child } = await startWorker(bundle, parent);
  const start = performance.now();
  child.send(NEVER);
  const [operations] = (await once(child, 'message')) as [number];
  const milliseconds = performance.now() - start;
  await once(child, 'exit');
  return { milliseconds, operations };
}

/** A moment, or the operation on a file in which it dies. */
type Death = { readonly delay: number } | { readonly operation: number };

async function die(child: ChildProcess, death: Death): Promise<void> {
  const exited = once(child, 'exit');
  child.send('operation' in death ? death.operation : NEVER);
  if ('delay' in death) {
    await Promise.race([sleep(death.delay), exited]);
    child.kill('SIGKILL');
  }
  await exited;
}

async function killAndCheck(bundle: string, parent: string, death: Death): Promise<number> {
  const why = `killed at ${JSON.stringify(death)}; HARNESS_SEED=${SEED}`;
  const { child, folder } = await startWorker(bundle, parent);
  await die(child, death);
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
    const parent = await memoryDir();
    const bundle = await bundleTo(parent, 'work-until-killed.ts');
    const whole = await measureWhole(bundle, parent);
    const random = randomFrom(SEED);
    // Operations all over the work, because a busy machine puts most delays at few places.
    const deaths = Array.from({ length: KILLS }, (_, index) =>
      index % 2
        ? { delay: random() * whole.milliseconds }
        : { operation: 1 + Math.floor(((index + 2 * random()) / KILLS) * whole.operations) },
    );
    const lengths = new Set<number>();
    const batch = async () => {
      for (let death = deaths.pop(); death; death = deaths.pop())
        lengths.add(await killAndCheck(bundle, parent, death));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, batch));
    expect(lengths.size, 'it was killed at many moments').toBeGreaterThan(Math.min(KILLS / 4, 60));
  },
  600_000,
);
