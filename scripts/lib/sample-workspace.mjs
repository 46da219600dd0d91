import { cp, rm } from 'node:fs/promises';
import { inRepository } from './paths.mjs';

/**
 * Makes a fresh small project with one failing test, for demos and tests.
 * @param {string} folder is replaced
 * @returns {Promise<string>} the folder
 */
export async function makeSampleWorkspace(folder) {
  await rm(folder, { recursive: true, force: true });
  await cp(inRepository('scripts', 'sample-workspace'), folder, { recursive: true });
  return folder;
}
