// Stores large things outside the repository. They are installed once and shared by all checkouts.
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { withLock } from './lock.mjs';

export const cacheDirectory = process.env.HARNESS_CACHE
  ? path.resolve(process.env.HARNESS_CACHE)
  : path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'harness-dev');

/**
 * Returns a folder of the cache in which `verify` succeeds. Installs it first if it is missing or damaged. A
 * half installed folder is never visible, because `install` works in a temporary folder, which is renamed
 * only after `verify` has succeeded.
 * @param {string} name
 * @param {{ install(directory: string): Promise<void>, verify(directory: string): Promise<void> }} recipe
 * @returns {Promise<string>}
 */
export async function cached(name, { install, verify }) {
  const directory = path.join(cacheDirectory, name);
  if (!(await fault(directory, verify))) return directory;
  return await withLock(`${directory}.lock`, async () => {
    const wrong = await fault(directory, verify);
    if (!wrong) return directory;
    if (existsSync(directory)) console.log(`${directory} is damaged and will be replaced. ${wrong}`);
    await removeLeftovers(name);
    const temporary = `${directory}.tmp-${process.pid}`;
    await mkdir(temporary, { recursive: true });
    await install(temporary);
    await verify(temporary);
    await rm(directory, { recursive: true, force: true });
    await rename(temporary, directory);
    return directory;
  });
}

/**
 * @param {string} directory
 * @param {(directory: string) => Promise<void>} verify
 * @returns {Promise<string | undefined>} the problem in one line; undefined if there is none
 */
async function fault(directory, verify) {
  if (!existsSync(directory)) return 'It is not installed.';
  return await verify(directory).then(
    () => undefined,
    (error) => error.message.split('\n')[0],
  );
}

/** Removes interrupted installations. @param {string} name */
async function removeLeftovers(name) {
  for (const entry of await readdir(cacheDirectory)) {
    if (entry.startsWith(`${name}.tmp-`))
      await rm(path.join(cacheDirectory, entry), { recursive: true, force: true });
  }
}
