import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { say } from '../protocol/say.ts';
import { ifPresent } from './file-errors.ts';
import { gitIn, withoutFilters } from './safe-git.ts';

/** Milliseconds; a large repository takes its time to be checked out. */
const PATIENCE = 600_000;

export interface Worktree {
  /** The new folder, and what it is another worktree of. */
  readonly path: string;
  readonly repository: string;
  /** The folder in it that stands for the one that was asked for. */
  readonly folder: string;
}

/** Where the repository that `folder` is in has its files; undefined where it is in none. */
export async function repositoryOf(git: string, folder: string): Promise<string | undefined> {
  const top = await gitIn(git, folder)('rev-parse', '--show-toplevel').catch(() => '');
  return top.replace(/\n$/, '') || undefined;
}

/**
 * Makes a worktree, at the commit that is checked out now, beside the repository that `folder` is in. The index and the
 * files of that one are not touched, and none of its hooks and filters is run. Rejects with a sentence for the user.
 */
export async function addWorktree(git: string, folder: string): Promise<Worktree> {
  const repository = await repositoryOf(git, folder);
  if (repository === undefined) throw new Error(say('{0} is in no Git repository.', folder));
  const call = gitIn(git, repository, { timeout: PATIENCE });
  const prefix = (await gitIn(git, folder)('rev-parse', '--show-prefix')).replace(/\/?\n$/, '');
  const path = await freePath(repository);
  try {
    const guards = await withoutFilters(call, true);
    await call(...guards, 'worktree', 'add', '--quiet', '--detach', path, 'HEAD');
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new Error(say('Git could not make a worktree: {0}', reason), { cause: error });
  }
  return { path, repository, folder: join(path, prefix) };
}

/** Beside the repository, with a name like its own. */
async function freePath(repository: string): Promise<string> {
  const name = `${basename(repository)}-fork`;
  for (let number = 1; ; number += 1) {
    const path = join(dirname(repository), number === 1 ? name : `${name}-${number}`);
    if ((await ifPresent(lstat(path))) === undefined) return path;
  }
}
