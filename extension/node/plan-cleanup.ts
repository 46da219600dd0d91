import { type StorageUse, totalOf } from './storage-use.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface StorageLimits {
  /** A session that was not used for so long is deleted; 0: never. */
  readonly days: number;
  /** For all sessions together; 0: as many as they take. */
  readonly bytes: number;
}

export interface CleanupStep {
  readonly use: StorageUse;
  /** `versions`: what undo and replay need goes. `session`: it is deleted, in a way that can be undone. */
  readonly what: 'versions' | 'session';
  readonly bytes: number;
}

/**
 * What has to go, oldest first: sessions that are too old, then, above the limit, what undo and replay need of the others,
 * then whole sessions. Those of the last day stay, and those for which `isKept`. `now` in milliseconds since the epoch.
 */
export function planCleanup(
  uses: readonly StorageUse[],
  { days, bytes }: StorageLimits,
  now: number,
  isKept: (id: string) => boolean,
): readonly CleanupStep[] {
  const age = ({ session }: StorageUse) => now - session.updated;
  const oldest = uses
    .filter((use) => age(use) > DAY_MS && !isKept(use.session.id))
    .toSorted((a, b) => a.session.updated - b.session.updated);
  const isOld = (use: StorageUse) => days > 0 && age(use) > days * DAY_MS;
  const tooOld = oldest.filter(isOld);
  const rest = oldest.filter((use) => !isOld(use));
  let over = bytes === 0 ? 0 : sum(uses.map(totalOf)) - sum(tooOld.map(totalOf)) - bytes;
  const takenFrom = (sizeOf: (use: StorageUse) => number) =>
    rest.filter((use) => {
      if (over <= 0 || sizeOf(use) === 0) return false;
      over -= sizeOf(use);
      return true;
    });
  const stripped = takenFrom((use) => use.versions + use.recording);
  const gone = takenFrom((use) => use.log);
  // One that goes as a whole keeps what it has: it can be brought back.
  return [
    ...stripped.filter((use) => !gone.includes(use)).map(stripping),
    ...[...tooOld, ...gone].map(deletion),
  ];
}

function stripping(use: StorageUse): CleanupStep {
  return { use, what: 'versions', bytes: use.versions + use.recording };
}

function deletion(use: StorageUse): CleanupStep {
  return { use, what: 'session', bytes: totalOf(use) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
