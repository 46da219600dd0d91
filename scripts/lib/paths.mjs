// Where things are, so that no other script counts `../`.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** @param {...string} parts */
export const inRepository = (...parts) => path.join(repository, ...parts);

export const vsixFile = inRepository('dist', 'harness.vsix');

/** The Node that everything else runs on: vitest and vsce need a newer one than the machine may have. */
export const pinnedNode = inRepository(
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
