import { readdir, rm } from 'node:fs/promises';
import type { Clock } from '../core/ports/clock.ts';
import { SessionBusyError } from '../core/ports/event-store.ts';
import { say } from '../protocol/say.ts';
import type { DeletedSessions } from './deleted-sessions.ts';
import { ifPresent } from './file-errors.ts';
import { JsonlSessionStore } from './jsonl-session-store.ts';
import { type CleanupStep, planCleanup, type StorageLimits } from './plan-cleanup.ts';
import { blobsOf, recordingOf } from './session-files.ts';
import { measureStorage } from './storage-use.ts';

export interface CleanupPlace {
  /** The folder of all sessions. */
  readonly root: string;
  readonly clock: Clock;
  readonly deleted: DeletedSessions;
  /** It is open here. */
  readonly isOpen: (id: string) => boolean;
}

/** Makes room as the limits say. Resolves with what was done; a session that a process writes is left alone. */
export async function cleanUp(place: CleanupPlace, limits: StorageLimits): Promise<readonly CleanupStep[]> {
  const { root, clock, isOpen } = place;
  if (limits.days === 0 && limits.bytes === 0) return [];
  const sessions = await new JsonlSessionStore(root, clock).list();
  const uses = await measureStorage(root, sessions);
  const done: CleanupStep[] = [];
  for (const step of planCleanup(uses, limits, clock.now(), isOpen)) {
    if (!isOpen(step.use.session.id) && (await perform(place, step))) done.push(step);
  }
  return done;
}

async function perform(place: CleanupPlace, step: CleanupStep): Promise<boolean> {
  try {
    if (step.what === 'session') await place.deleted.remove(step.use.session.id);
    else await dropVersions(place, step);
    return true;
  } catch (error) {
    if (error instanceof SessionBusyError) return false;
    throw error;
  }
}

/** The log says so, as the last thing that happened, at the time of what happened before: it does not become young by it. */
async function dropVersions({ root, clock }: CleanupPlace, { use }: CleanupStep): Promise<void> {
  const { id, updated } = use.session;
  const date = new Date(clock.now()).toISOString().slice(0, 10);
  const asThen: Clock = {
    now: () => updated,
    monotonic: () => clock.monotonic(),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    yield: () => clock.yield(),
  };
  const log = await new JsonlSessionStore(root, asThen).open(id);
  try {
    const versions = (await ifPresent(readdir(blobsOf(root, id))))?.length ?? 0;
    await log.append([
      { type: 'trimmed', versions },
      { type: 'notice', message: dropped(date) },
    ]);
    await rm(recordingOf(root, id), { force: true });
    await rm(blobsOf(root, id), { recursive: true, force: true });
  } finally {
    await log.close();
  }
}

function dropped(date: string): string {
  return say(
    'On {0} Harness removed what undo and replay need of this session, since all sessions together took more than the limit. What is before this cannot be undone any more.',
    date,
  );
}
