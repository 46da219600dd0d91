// A lock between processes: a directory whose time the holder updates. A lock that is not updated belongs to
// a dead process. Two waiters may both take over such a lock. The guarded work ends in an atomic rename, so
// that only duplicates work.
import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const refreshMilliseconds = 5000;
const staleMilliseconds = 30_000;
const pollMilliseconds = 250;

/**
 * @template T
 * @param {string} lock path of the lock
 * @param {() => Promise<T>} work
 * @param {{ waitMilliseconds?: number }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(lock, work, { waitMilliseconds = 15 * 60_000 } = {}) {
  await acquire(lock, Date.now() + waitMilliseconds);
  const refresh = setInterval(() => utimesSync(lock, new Date(), new Date()), refreshMilliseconds);
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(refresh);
    process.off('exit', release);
    release();
  }
}

/**
 * @param {string} lock
 * @param {number} deadline
 */
async function acquire(lock, deadline) {
  mkdirSync(path.dirname(lock), { recursive: true });
  let isReported = false;
  while (!tryMakeDirectory(lock)) {
    if (ageOf(lock) > staleMilliseconds) {
      rmSync(lock, { recursive: true, force: true });
      continue;
    }
    if (Date.now() > deadline)
      throw new Error(
        `Another process has held ${lock} for too long. If none is running, delete that folder and try again.`,
      );
    if (!isReported) console.log(`Waiting for another process that holds ${path.basename(lock)} …`);
    isReported = true;
    await delay(pollMilliseconds);
  }
}

/** @param {string} directory */
function tryMakeDirectory(directory) {
  try {
    mkdirSync(directory);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file */
function ageOf(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? Date.now() - stats.mtimeMs : 0;
}
