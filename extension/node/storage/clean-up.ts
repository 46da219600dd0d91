import { readdir, rm } from 'node:fs/promises';
import type { Clock } from '../../core/ports/clock.ts';
import { NewerLogError, SessionBusyError } from '../../core/ports/session-store.ts';
import { say } from '../../protocol/say.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { blobsOf, recordingOf } from '../log/session-files.ts';
import { JsonlSessionStore } from '../sessions/jsonl-session-store.ts';
import type { DeletedSessions } from './deleted-sessions.ts';
import { type CleanupStep, planCleanup, type StorageLimits } from './plan-cleanup.ts';
import { measureStorage } from './storage-use.ts';

export interface CleanupPlace {
  /** The folder of all sessions. */
  readonly root: string;
  readonly clock: Clock;
  readonly deleted: DeletedSessions;
  /** It is open here. */
  readonly isOpen: (id: string) => boolean;
}

export interface Cleanup {
  readonly done: readonly CleanupStep[];
  /** Why the others were not. */
  readonly problems: readonly string[];
}

/** Makes room as the limits say. A session that a process writes, or that a newer version has written, is left alone; where one step fails, the others go on. */
export async function cleanUp(place: CleanupPlace, limits: StorageLimits): Promise<Cleanup> {
  const { root, clock, isOpen } = place;
  const [done, problems]: [CleanupStep[], string[]] = [[], []];
  if (limits.days === 0 && limits.bytes === 0) return { done, problems };
  const storage = await measureStorage(root, await new JsonlSessionStore(root, clock).list());
  for (const step of planCleanup(storage, limits, clock.now(), isOpen)) {
    if (isOpen(step.id)) continue;
    try {
      await perform(place, step);
      done.push(step);
    } catch (error) {
      const isLeft = error instanceof SessionBusyError || error instanceof NewerLogError;
      if (!isLeft) problems.push(`${step.id}: ${String(error)}`);
    }
  }
  return { done, problems };
}

function perform(place: CleanupPlace, step: CleanupStep): Promise<void> {
  if (step.what === 'versions') return dropVersions(place, step);
  return step.what === 'session' ? place.deleted.remove(step.id) : place.deleted.discard([step.id]);
}

/** The log says so, as the last thing that happened, at the time of what happened before: it does not become young by it. */
async function dropVersions({ root, clock }: CleanupPlace, { id, updated }: CleanupStep): Promise<void> {
  const date = new Date(clock.now()).toISOString().slice(0, 10);
  const asThen: Clock = {
    now: () => updated,
    monotonic: () => clock.monotonic(),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    yield: () => clock.yield(),
  };
  const log = await new JsonlSessionStore(root, asThen).open(id);
  try {
    // First of all, and said with the rest: it makes room for that on a full disk.
    await rm(recordingOf(root, id), { force: true });
    const versions = (await ifPresent(readdir(blobsOf(root, id))))?.length ?? 0;
    await log.append([
      { type: 'trimmed', versions },
      { type: 'notice', message: dropped(date) },
    ]);
    await log.sync();
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
