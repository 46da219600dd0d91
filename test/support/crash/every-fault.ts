// SQLite's way: the nth operation on a file fails, for n = 1, 2, 3 … until nothing is left that could.
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ifPresent } from '../../../extension/node/fs/file-errors.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';
import { type Faults, failFiles } from '../files.ts';
import { isLong } from '../long-tests.ts';
import { memoryDir } from '../memory-dir.ts';
import type { Recorded } from '../recorded.ts';
import { aftermathKey, common, digest } from './aftermath-key.ts';
import { type Aftermath, checkInvariants, expectNoProcess } from './invariants.ts';
import { openWorkplace, places, prepare } from './session.ts';
import type { Task } from './tasks.ts';

type Kind = 'once' | 'until fixed' | 'for good';
export const KINDS: readonly Kind[] = ['once', 'until fixed', 'for good'];

const AS_IT_IS = { recursive: true, verbatimSymlinks: true };

/** Keys of the aftermaths that were checked, and of the recordings that were replayed, of all tasks of the file. */
const seen = new Set<string>();
const replayed = new Set<string>();

interface Trial {
  readonly task: Task;
  readonly folder: string;
  /** Of the session that is there already; else empty. */
  readonly id: string;
  readonly nth: number;
  readonly kind: Kind;
}

interface Outcome {
  readonly faults: Faults;
  readonly session: string;
  /** What was in the log when it was told; all of it where the session could be closed. */
  readonly acknowledged: readonly SessionEvent[];
  /** Nothing was wrong, for all that the user could see. */
  readonly isSilent: boolean;
}

/** Performs the task anew for each operation that can fail, and looks at what is left. */
export async function expectEveryFault(name: string, task: Task, kind: Kind): Promise<void> {
  const parent = await memoryDir();
  const [folder, template] = [join(parent, 'run'), join(parent, 'template')];
  await mkdir(folder);
  await prepare(folder);
  const id = await task.prepare(folder);
  await cp(folder, template, AS_IT_IS);
  for (let nth = 1; ; nth += 1) {
    const { faults, session, acknowledged, isSilent } = await tryTask({ task, folder, id, nth, kind });
    const why = `operation ${nth} of ${name}, ${faults.first}, fails ${kind}`;
    const leavesTemporary = kind !== 'once' || /^(rm|unlink) /.test(faults.first);
    expect(faults.open, `no file stays open: ${why}`).toEqual([]);
    const aftermath = { folder, session, acknowledged, why, leavesTemporary };
    if (await isOnDisk(folder, session)) await checkOnce(aftermath);
    if (faults.first === '') {
      expect(isSilent, 'without a fault nothing is wrong').toBe(true);
      expect(nth, 'there were operations to fail').toBeGreaterThan(20);
      return;
    }
    await rm(folder, { recursive: true });
    await cp(template, folder, AS_IT_IS);
  }
}

/** Nine tenths of the time are the check, and most faults leave what another one has left: each aftermath is checked once. */
async function checkOnce(aftermath: Aftermath): Promise<void> {
  const key = await aftermathKey(aftermath);
  if (seen.has(key) && !isLong) return expectNoProcess(aftermath.folder, aftermath.why);
  await checkInvariants(aftermath);
  seen.add(key);
}

async function tryTask({ task, folder, id, nth, kind }: Trial): Promise<Outcome> {
  const workplace = await openWorkplace(folder);
  const faults = failFiles(folder, nth, kind !== 'once');
  const acknowledged: SessionEvent[] = [];
  let recorded: Recorded | undefined;
  let isClosed = false;
  const take = () => {
    const { session } = recorded ?? {};
    if (session && !session.isHeld) acknowledged.push(...session.events.slice(acknowledged.length));
  };
  try {
    await task.perform({ ...workplace, folder, id }, (opened) => {
      recorded = opened;
      opened.session.subscribe({ onEvents: take });
    });
    if (kind === 'until fixed') faults.mend();
    await recorded?.session.close();
    isClosed = true;
    take();
  } catch {
    // It was told: what is left is in order all the same.
    await recorded?.session.close().catch(() => undefined);
  } finally {
    faults.mend();
    faults.stop();
    await workplace.close().catch(() => undefined);
  }
  if (recorded) await replayOnce(recorded, folder);
  const { session } = recorded ?? {};
  const isSilent = isClosed && !session?.events.some(isTelling);
  return { faults, session: session?.id ?? id, acknowledged, isSilent };
}

/** Most faults leave a recording that another one has left, but for its times: each is replayed once. */
async function replayOnce(recorded: Recorded, folder: string): Promise<void> {
  const key = digest(common(recorded.evidence(), { folder, session: recorded.session.id }));
  if (replayed.has(key) && !isLong) return;
  await recorded.expectEqualReplay();
  replayed.add(key);
}

/** Else it was in memory alone to the end, and has left nothing. */
async function isOnDisk(folder: string, session: string): Promise<boolean> {
  const names = session === '' ? undefined : await ifPresent(readdir(join(places(folder).sessions, session)));
  expect(names ?? ['events.jsonl'], 'a session that is there has a log').toContain('events.jsonl');
  return names !== undefined;
}

function isTelling(event: SessionEvent): boolean {
  return (
    event.type === 'error' || (event.type === 'tool_result' && event.isError && event.end !== 'interrupted')
  );
}
