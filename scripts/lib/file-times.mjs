// Detects changes by the times of files and folders.
import { readdirSync, statSync } from 'node:fs';
import { inRepository } from './paths.mjs';

/**
 * @param {string} name a file or folder of the repository
 * @returns {string[]} the files and folders in it, or itself
 */
function filesBelow(name) {
  const root = inRepository(name);
  const stats = statSync(root, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats ? [root] : [];
  return readdirSync(root, { recursive: true }).map((file) => inRepository(name, String(file)));
}

/**
 * @param {string} file
 * @returns {number} milliseconds since the epoch; 0 if it does not exist
 */
export const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * @param {readonly string[]} names files and folders of the repository
 * @returns {number} when the newest of them was changed
 */
export const newestOf = (names) => Math.max(...names.flatMap(filesBelow).map(modified));
