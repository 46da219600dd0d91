import { constants } from 'node:fs';
import type { ChangedFile, GitStatus } from '../../core/ports/git-status.ts';
import { allows } from '../fs/access.ts';
import { programsOnPath } from '../fs/programs-on-path.ts';
import { gitIn, withoutFilters } from './safe-git.ts';

/** Milliseconds for one call of Git, and bytes of its output. A run waits for the status. */
const LIMITS = { timeout: 2_000, maxBuffer: 20_000_000 };

const STATUS = [
  'status',
  '--porcelain=v1',
  '-z',
  '--no-renames',
  '--untracked-files=normal',
  // Git would run in each submodule, with the configuration of that one.
  '--ignore-submodules=all',
  '--',
  '.',
];

/** `program` finds the absolute path of Git; undefined if there is none. */
export function gitStatusWith(program: () => Promise<string | undefined>): GitStatus {
  return async (folder) => {
    try {
      const found = await program();
      return found === undefined ? undefined : await statusOf(found, folder);
    } catch {
      // There is no repository, or Git cannot read it in time. The model can ask for the status itself.
      return undefined;
    }
  };
}

async function statusOf(program: string, folder: string): Promise<readonly ChangedFile[]> {
  const git = gitIn(program, folder, LIMITS);
  const [guards, prefix] = await Promise.all([withoutFilters(git), git('rev-parse', '--show-prefix')]);
  return parseStatus(await git(...guards, ...STATUS), prefix.replace(/\n$/, ''));
}

/** `prefix`: the folder's path in the repository, with a slash at its end; empty for the top folder. */
function parseStatus(output: string, prefix: string): readonly ChangedFile[] {
  const entries = output.split('\0').filter((entry) => entry.length > 3);
  return entries.map((entry) => {
    const path = entry.slice(3);
    return { state: entry.slice(0, 2), path: path.startsWith(prefix) ? path.slice(prefix.length) : path };
  });
}

/** Looks on the PATH, but not in `roots`, the folders of the workspace. */
export async function findGit(roots: readonly string[]): Promise<string | undefined> {
  const binary = process.platform === 'win32' ? 'git.exe' : 'git';
  for (const path of programsOnPath(binary, roots)) if (await allows(path, constants.X_OK)) return path;
  return undefined;
}
