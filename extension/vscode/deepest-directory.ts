import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ifPresent } from '../node/file-errors.ts';

export interface ExistingPath {
  readonly path: string;
  readonly stats: Stats;
}

/** The deepest of the directories above `path` that exists. */
export async function deepestDirectory(path: string): Promise<ExistingPath> {
  const parent = dirname(path);
  const stats = await ifPresent(stat(parent));
  return stats ? { path: parent, stats } : deepestDirectory(parent);
}
