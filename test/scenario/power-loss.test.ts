// The power goes at any moment: what was sent, and what has had an effect, is in the log all the same.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScriptedModel } from '../../extension/core/ports/scripted-model.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { checkInvariants } from '../support/crash/invariants.ts';
import { DiskRecord, losePower } from '../support/crash/power-loss.ts';
import { createSession, openWorkplace, places, prepare, settingsWith } from '../support/crash/session.ts';
import { FILES, fileWork } from '../support/crash/work.ts';
import { randomFrom } from '../support/random-from.ts';
import { tempDir } from '../support/temp-dir.ts';

const LOSSES = Number(process.env.HARNESS_POWER_LOSSES ?? 200);
const SEED = Number(process.env.HARNESS_SEED ?? 20_261_122);

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
  let events: readonly SessionEvent[] = [];
  const promised: Promised[] = [];
  const promise = () => promised.push({ from: disk.steps.length, events: [...events] });
  const disk = new DiskRecord(folder, { ...files, [canary]: 'canary\n' }, ({ name, args }) => {
    // Something of the user's is about to change.
    if (name === 'rename' && String(args[1]).startsWith(root)) promise();
  });
  const session = await createSession(workplace, folder);
  events = session.events;
  await session.prompt('Go', settingsWith(watched(fileWork(), promise)));
  await session.close();
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

test('whenever the power goes, what was sent and what has had an effect is in the log', async () => {
  const folder = await tempDir();
  const { session, steps, promised } = await recordWork(folder);
  expect(promised.length, 'there were requests and effects').toBeGreaterThan(5);
  const random = randomFrom(SEED);
  let holes = 0;
  for (let loss = 1; loss <= LOSSES; loss += 1) {
    const after = Math.floor(random() * (steps.length + 1));
    const why = `the power goes after step ${after} of ${steps.length}; HARNESS_SEED=${SEED}, loss ${loss}`;
    await losePower(folder, steps.slice(0, after), random);
    const acknowledged = promised.findLast(({ from }) => from <= after)?.events ?? [];
    const sessionFolder = join(places(folder).home, 'sessions', session);
    const left = await readdir(sessionFolder).catch((): string[] => []);
    if (acknowledged.length === 0 && !left.includes('events.jsonl')) continue;
    // Its holder has no power either.
    await rm(join(sessionFolder, 'lock'), { force: true });
    holes += 1;
    await checkInvariants({ folder, session, acknowledged, why, isDamaged: true, leavesTemporary: true });
  }
  expect(holes, 'there was a session to look at').toBeGreaterThan(LOSSES / 2);
});
