// The power goes while a session is forked, or later, or the process dies in it: the fork has the versions of files that its
// log names.
import { cpSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blobHashesIn } from '../../extension/core/checkpoints/blob-names.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { DiskRecord, losePower } from '../support/crash/power-loss.ts';
import { createLog, openWorkplace, places, prepare, settingsWith } from '../support/crash/session.ts';
import { FILES, fileWork } from '../support/crash/work.ts';
import { watchFiles } from '../support/files.ts';
import { memoryDir } from '../support/memory-dir.ts';
import { randomFrom } from '../support/random-from.ts';
import { recordedSession } from '../support/recorded.ts';
import { says } from '../support/scenario.ts';

const LOSSES = Number(process.env.HARNESS_POWER_LOSSES ?? 200);
const SEED = Number(process.env.HARNESS_SEED ?? 20_261_122);

/** `taken`: events that it began with. What its own request begins with is written behind that. */
async function expectVersions(
  sessions: string,
  fork: string,
  why: string,
  taken = Number.POSITIVE_INFINITY,
): Promise<void> {
  const store = new JsonlSessionStore(sessions, systemClock);
  const events = await store.read(fork);
  const named = [...blobHashesIn(events.filter(({ seq }) => seq <= taken))];
  expect(named.length, why).toBeGreaterThan(0);
  for (const hash of named) await expect(store.blobs(fork).get(hash), why).resolves.toBeDefined();
}

/** A session that has changed files, and a fork of all of it in which there was a prompt. */
async function recordFork(folder: string) {
  await prepare(folder);
  const { root } = places(folder);
  const files = Object.entries(FILES).map(([name, content]) => [join(root, name), content] as const);
  const workplace = await openWorkplace(folder);
  const disk = new DiskRecord(folder, Object.fromEntries(files), () => undefined);
  const first = await recordedSession(await createLog(workplace, folder), workplace.ports);
  await first.prompt('Go', settingsWith(fileWork()));
  await first.close();
  const begun = disk.steps.length;
  const log = await workplace.store.fork(first.id, first.events.length, { cwd: root, product: 'test' });
  const fork = await recordedSession(log, workplace.ports);
  await fork.prompt('Go on', settingsWith(new ScriptedModel(says('Here.'))));
  await fork.close();
  await workplace.close();
  disk.stop();
  return { fork: fork.id, taken: log.past.length, begun, steps: disk.steps };
}

test('whenever the power goes, a fork whose log is there has every version of a file that it names', async () => {
  const folder = await memoryDir();
  const { fork, taken, begun, steps } = await recordFork(folder);
  const { root, home, sessions } = places(folder);
  const random = randomFrom(SEED);
  let looked = 0;
  for (let loss = 1; loss <= LOSSES; loss += 1) {
    const after = begun + Math.ceil(random() * (steps.length - begun));
    const why = `the power goes after step ${after} of ${steps.length}; HARNESS_SEED=${SEED}, loss ${loss}`;
    await losePower(folder, [root, home, folder], steps.slice(0, after), random);
    const left = await readdir(join(sessions, fork)).catch((): string[] => []);
    if (!left.includes('events.jsonl')) continue;
    looked += 1;
    await expectVersions(sessions, fork, why, taken);
  }
  expect(looked, 'there was a fork to look at').toBeGreaterThan(LOSSES / 4);
});

test('whenever the process dies in a fork, there is none, or one with every version that its log names', async () => {
  const folder = await memoryDir();
  await prepare(folder);
  const { root, sessions } = places(folder);
  const workplace = await openWorkplace(folder);
  const first = await recordedSession(await createLog(workplace, folder), workplace.ports);
  await first.prompt('Go', settingsWith(fileWork()));
  await first.close();
  const left: string[] = [];
  const stop = watchFiles(sessions, (_, perform) => {
    const copy = join(folder, `left-${left.length}`);
    left.push(copy);
    cpSync(sessions, copy, { recursive: true });
    return perform();
  });
  const log = await workplace.store.fork(first.id, first.events.length, { cwd: root, product: 'test' });
  stop();
  await log.close();
  await workplace.close();
  const found = new Set<number>();
  for (const [step, copy] of left.entries()) {
    const listed = await new JsonlSessionStore(copy, systemClock).list();
    const forks = listed.filter(({ id }) => id !== first.id);
    for (const { id } of forks) await expectVersions(copy, id, `it dies before step ${step + 1}`);
    found.add(forks.length);
  }
  expect([...found], 'before there was a fork, and after').toEqual([0, 1]);
});
