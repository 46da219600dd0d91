// The paths of the repository, so that no other script counts `../`.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** @param {...string} parts */
export const inRepository = (...parts) => path.join(repository, ...parts);

export const vsixFile = inRepository('dist', 'harness.vsix');

/** The Node for all other scripts, because vitest and vsce may need a newer one than the machine has. */
export const pinnedNode = inRepository(
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
