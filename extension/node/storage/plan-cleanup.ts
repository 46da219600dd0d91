import { type DeletedUse, type Storage, type StorageUse, sumOf, totalOf } from './storage-use.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface StorageLimits {
  /** Harness deletes a session that was not used for so many days; 0 means never. */
  readonly days: number;
  /** Limit for all sessions together; 0 means no limit. */
  readonly bytes: number;
}

export interface CleanupStep {
  /**
   * `deleted`: removes a deleted session for good. `versions`: removes what undo and replay need. `session`:
   * deletes a session, which the user can undo.
   */
  readonly what: 'deleted' | 'versions' | 'session';
  /** The session's id; for a deleted session, the name of its folder. */
  readonly id: string;
  readonly title: string;
  /** When the session was last used, or deleted, in milliseconds since the epoch. */
  readonly updated: number;
  readonly bytes: number;
}

/**
 * Plans what to remove, oldest first. Sessions that are too old always go. Above the byte limit, deleted
 * sessions go first, then what undo and replay need of the others, then whole sessions. Keeps what was used
 * or deleted within a day, and sessions for which `isKept` is true. `now` is in milliseconds since the epoch.
 */
export function planCleanup(
  storage: Storage,
  { days, bytes }: StorageLimits,
  now: number,
  isKept: (id: string) => boolean,
): readonly CleanupStep[] {
  const age = ({ session }: StorageUse) => now - session.updated;
  const oldest = storage.sessions
    .filter((use) => age(use) > DAY_MS && !isKept(use.session.id))
    .toSorted((a, b) => a.session.updated - b.session.updated);
  const isOld = (use: StorageUse) => days > 0 && age(use) > days * DAY_MS;
  const [tooOld, rest] = [oldest.filter(isOld), oldest.filter((use) => !isOld(use))];
  // A recently deleted session does not count, because it will go. Neither does what this plan deletes.
  const deleted = storage.deleted.filter(({ since }) => now - since > DAY_MS);
  const counted = sumOf({ ...storage, deleted });
  let over = bytes === 0 ? 0 : counted - tooOld.reduce((sum, use) => sum + totalOf(use), 0) - bytes;
  const takenFrom = <Use>(uses: readonly Use[], sizeOf: (use: Use) => number) =>
    uses.filter((use) => {
      if (over <= 0 || sizeOf(use) === 0) return false;
      over -= sizeOf(use);
      return true;
    });
  const purged = takenFrom(
    deleted.toSorted((a, b) => a.since - b.since),
    (use) => use.bytes,
  );
  const stripped = takenFrom(rest, (use) => use.versions + use.recording);
  const gone = takenFrom(rest, (use) => use.log);
  // A session that is deleted whole keeps its versions, because the user can restore it.
  return [
    ...purged.map(purging),
    ...stripped.filter((use) => !gone.includes(use)).map(stripping),
    ...[...tooOld, ...gone].map(deletion),
  ];
}

function purging({ name, since, bytes }: DeletedUse): CleanupStep {
  return { what: 'deleted', id: name, title: name, updated: since, bytes };
}

function stripping({ session: { id, title, updated }, versions, recording }: StorageUse): CleanupStep {
  return { what: 'versions', id, title, updated, bytes: versions + recording };
}

function deletion(use: StorageUse): CleanupStep {
  const { id, title, updated } = use.session;
  return { what: 'session', id, title, updated, bytes: totalOf(use) };
}
