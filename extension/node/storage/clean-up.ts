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
  /** Whether the session is open in this window. */
  readonly isOpen: (id: string) => boolean;
}

export interface Cleanup {
  readonly done: readonly CleanupStep[];
  /** One reason for each step that failed. */
  readonly problems: readonly string[];
}

/**
 * Frees space as the limits require. Leaves a session alone that a process is writing, or that a newer
 * version wrote. If a step fails, the others continue.
 */
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

/**
 * Logs the removal as the last event, at the time of the previous one. So the removal does not make the
 * session look recent.
 */
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
    // Removes the recording first, to make room for the log entry on a full disk. The notice below covers it,
    // too.
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
    'On {0}, Harness removed this session’s undo and replay data because all sessions together exceeded the storage limit. Earlier changes can no longer be undone.',
    date,
  );
}
