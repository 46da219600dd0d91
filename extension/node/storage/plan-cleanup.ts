import { type DeletedUse, type Storage, type StorageUse, sumOf, totalOf } from './storage-use.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface StorageLimits {
  /** A session that was not used for so long is deleted; 0: never. */
  readonly days: number;
  /** For all sessions together; 0: as many as they take. */
  readonly bytes: number;
}

export interface CleanupStep {
  /**
   * `deleted`: one that was deleted goes for good. `versions`: what undo and replay need goes. `session`: it is deleted, in a
   * way that can be undone.
   */
  readonly what: 'deleted' | 'versions' | 'session';
  /** The session's; of a deleted one, the name of its folder. */
  readonly id: string;
  readonly title: string;
  /** When it was last used, or deleted; milliseconds since the epoch. */
  readonly updated: number;
  readonly bytes: number;
}

/**
 * What has to go, oldest first: sessions that are too old, then, above the limit, those that were deleted, what undo and
 * replay need of the others, and whole sessions. What was used, or deleted, within a day stays, and those for which
 * `isKept`. `now` in milliseconds since the epoch.
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
  // What was deleted within a day is on its way out, as is what is deleted now.
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
  // One that goes as a whole keeps what it has: it can be brought back.
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
