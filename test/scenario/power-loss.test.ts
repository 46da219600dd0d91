// The power goes at any moment: what was sent, and what has had an effect, is in the log all the same.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { SessionRecordings } from '../../extension/app/recordings/session-recordings.ts';
import { blobHashesIn } from '../../extension/core/checkpoints/blob-names.ts';
import type { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import type { Session } from '../../extension/core/session/session.ts';
import { readLog } from '../../extension/node/log/read-log.ts';
import { logOf } from '../../extension/node/log/session-files.ts';
import { readSessionRecording } from '../../extension/node/recording/read-recording.ts';
import { recordingsIn } from '../../extension/node/recording/recording-file.ts';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { checkInvariants } from '../support/crash/invariants.ts';
import { DiskRecord, losePower } from '../support/crash/power-loss.ts';
import { createLog, openWorkplace, places, prepare, settingsWith } from '../support/crash/session.ts';
import { compact, thinkAgain } from '../support/crash/stages.ts';
import { FILES, fileWork } from '../support/crash/work.ts';
import { memoryDir } from '../support/memory-dir.ts';
import { randomFrom } from '../support/random-from.ts';
import { recordedSession } from '../support/recorded.ts';

const LOSSES = Number(process.env.HARNESS_POWER_LOSSES ?? 200);
const SEED = Number(process.env.HARNESS_SEED ?? 20_261_122);

/** Of each moment at which the power goes while a log is mended. */
const FATES = 20;

/** Events that must be there from a step of the disk on. */
interface Promised {
  readonly from: number;
  readonly events: readonly SessionEvent[];
}

async function recordWork(folder: string) {
  await prepare(folder);
  const { root, canary } = places(folder);
  const files = Object.fromEntries(
    Object.entries(FILES).map(([name, content]) => [join(root, name), content]),
  );
  const workplace = await openWorkplace(folder);
  let session: Session | undefined;
  const promised: Promised[] = [];
  const promise = () => promised.push({ from: disk.steps.length, events: [...(session?.events ?? [])] });
  const disk = new DiskRecord(folder, { ...files, [canary]: 'canary\n' }, ({ name, path, args }) => {
    // Something of the user's is about to change.
    const changed = name === 'rename' ? String(args[1]) : path;
    if (['rename', 'unlink', 'rmdir'].includes(name) && changed.startsWith(root)) promise();
  });
  const { sessions } = places(folder);
  const recordings = new SessionRecordings({
    openFile: recordingsIn(sessions, 'test'),
    clock: systemClock,
    isWanted: () => true,
  });
  const recording = await recordings.begin(await createLog(workplace, folder), workplace.ports);
  session = await recordedSession(recording.log, recording.ports, sessions);
  await session.prompt('Go', settingsWith(watched(fileWork(), promise)));
  await compact(session);
  await thinkAgain(session, workplace, folder);
  await session.close();
  await recording.close();
  await workplace.close();
  disk.stop();
  return { session: session.id, steps: disk.steps, promised };
}

/** What a request is made from must be there when it is sent. */
function watched(model: ScriptedModel, onRequest: () => void): ScriptedModel {
  const stream = model.streamTurn.bind(model);
  model.streamTurn = (turn, signal) => {
    onRequest();
    return stream(turn, signal);
  };
  return model;
}

/** What was there before a change is there as long as the log says that it was. */
async function expectBytes(
  folder: string,
  session: string,
  { events }: Promised,
  why: string,
): Promise<void> {
  const blobs = new JsonlSessionStore(places(folder).sessions, systemClock).blobs(session);
  for (const hash of blobHashesIn(events.filter(({ type }) => type === 'checkpoint')))
    await expect(blobs.get(hash), why).resolves.toBeDefined();
}

/** What is left of the recording can be played, up to where it is damaged; where nothing can, that is said. */
async function expectPlayable(folder: string, session: string, why: string): Promise<void> {
  const { sessions } = places(folder);
  const read = await readSessionRecording(sessions, session).catch(({ message }: Error) => message);
  if (typeof read === 'string') return expect(read, why).toMatch(/was not recorded|is not a recording/);
  expect(read.session.id, why).toBe(session);
  await read.session.close();
}

/** A session whose log has a hole, which is mended. `isFlushed`: the disk had taken it as it was. */
async function recordMend(folder: string, isFlushed = true) {
  await prepare(folder);
  const workplace = await openWorkplace(folder);
  const session = await recordedSession(await createLog(workplace, folder), workplace.ports);
  await session.prompt('Go', settingsWith(fileWork()));
  await session.close();
  await workplace.close();
  const path = logOf(places(folder).sessions, session.id);
  const sound = await readFile(path, 'utf8');
  const damaged = Buffer.from(sound).fill(0, 2_000, 3_000);
  const disk = new DiskRecord(folder, { [path]: sound }, () => undefined);
  await writeFile(path, damaged, { flush: isFlushed });
  const begun = disk.steps.length;
  const log = await workplace.store.open(session.id);
  await log.append([{ type: 'user', content: 'It was mended' }]);
  await log.sync();
  await log.close();
  disk.stop();
  return { path, damaged, begun, steps: disk.steps };
}

test('whenever the power goes, what was sent and what has had an effect is in the log; where that has lost nothing but its end, all can be undone', async () => {
  const folder = await memoryDir();
  const { session, steps, promised } = await recordWork(folder);
  expect(promised.length, 'there were requests and effects').toBeGreaterThan(5);
  const { root, home, sessions } = places(folder);
  const random = randomFrom(SEED);
  let looked = 0;
  let whole = 0;
  for (let loss = 1; loss <= LOSSES; loss += 1) {
    const after = Math.floor(random() * (steps.length + 1));
    const why = `the power goes after step ${after} of ${steps.length}; HARNESS_SEED=${SEED}, loss ${loss}`;
    await losePower(folder, [root, home, folder], steps.slice(0, after), random);
    const last = promised.findLast(({ from }) => from <= after);
    const left = await readdir(join(sessions, session)).catch((): string[] => []);
    if (!last && !left.includes('events.jsonl')) continue;
    looked += 1;
    await expectPlayable(folder, session, why);
    if (last) await expectBytes(folder, session, last, why);
    const { brokenAt } = await readLog(logOf(sessions, session));
    if (brokenAt === 0) whole += 1;
    const acknowledged = last?.events ?? [];
    await checkInvariants({ folder, session, acknowledged, why, isDamaged: brokenAt > 0, mayMiss: true });
  }
  expect(whole, 'most logs have lost nothing but their end').toBeGreaterThan(looked / 2);
  expect(looked, 'there was a session to look at').toBeGreaterThan(LOSSES / 2);
});

test('whenever the power goes while a damaged log is mended, its bytes are in the log or beside it', async () => {
  const folder = await memoryDir();
  const { path, damaged, begun, steps } = await recordMend(folder);
  const { root, home, sessions } = places(folder);
  const there = [folder, root, home, sessions, dirname(path)];
  const random = randomFrom(SEED);
  for (let after = begun; after <= steps.length; after += 1) {
    for (let fate = 0; fate < FATES; fate += 1) {
      await losePower(folder, there, steps.slice(0, after), random);
      const names = (await readdir(dirname(path))).filter((name) => name.startsWith('events.jsonl'));
      const kept = await Promise.all(names.map((name) => readFile(join(dirname(path), name))));
      const why = `the power goes after step ${after} of ${steps.length}; HARNESS_SEED=${SEED}, fate ${fate}`;
      expect(
        kept.some((bytes) => bytes.equals(damaged)),
        why,
      ).toBe(true);
    }
  }
});

test('what a damaged log held is on the disk beside it before that is replaced, also where it had not been there yet', async () => {
  const folder = await memoryDir();
  const { path, damaged, begun, steps } = await recordMend(folder, false);
  const { root, home, sessions } = places(folder);
  const there = [folder, root, home, sessions, dirname(path)];
  const random = randomFrom(SEED);
  const isReplaced = (step: (typeof steps)[number], index: number) =>
    index > begun && step.kind === 'name' && step.path === path;
  const replaced = steps.findIndex(isReplaced);
  expect(replaced, 'it is replaced').toBeGreaterThan(begun);
  for (let after = replaced + 1; after <= steps.length; after += 1) {
    for (let fate = 0; fate < FATES; fate += 1) {
      await losePower(folder, there, steps.slice(0, after), random);
      const names = (await readdir(dirname(path))).filter((name) => name.startsWith('events.jsonl.'));
      const beside = await Promise.all(names.map((name) => readFile(join(dirname(path), name))));
      const why = `the power goes after step ${after} of ${steps.length}; HARNESS_SEED=${SEED}, fate ${fate}`;
      expect(beside, why).toContainEqual(damaged);
    }
  }
});
