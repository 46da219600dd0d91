import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * The newest log of all sessions; undefined if there is none. A folder without a log is not a session.
 * @param {string} sessions folder of all sessions
 * @returns {Promise<string | undefined>}
 */
export async function newestLog(sessions) {
  const names = await readdir(sessions).catch(() => []);
  const logs = await Promise.all(names.map((name) => timed(path.join(sessions, name, 'events.jsonl'))));
  return logs.flat().sort((a, b) => b.time - a.time)[0]?.file;
}

/** @param {string} file */
async function timed(file) {
  const found = await stat(file).catch(() => undefined);
  return found ? [{ file, time: found.mtimeMs }] : [];
}
