import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { say } from '../../protocol/say.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { gitIn, withoutFilters } from './safe-git.ts';

/** Milliseconds; a large repository takes its time to be checked out. */
const PATIENCE = 600_000;

/** Of what Git prints of a commit's files. Bytes. */
const LARGEST_TREE = 500_000_000;

export interface Worktree {
  /** The new folder, and what it is another worktree of. */
  readonly path: string;
  readonly repository: string;
  /** The folder in it that stands for the one that was asked for. */
  readonly folder: string;
  /** Where the repository has submodules, relative to it; in the new folder they are empty. */
  readonly submodules: readonly string[];
}

/** Where the repository that `folder` is in has its files; undefined where it is in none. */
export async function repositoryOf(git: string, folder: string): Promise<string | undefined> {
  const top = await gitIn(git, folder)('rev-parse', '--show-toplevel').catch(() => '');
  return top.replace(/\n$/, '') || undefined;
}

/**
 * Makes a worktree, at the commit that is checked out now, beside the repository that `folder` is in; for a submodule
 * beside the outermost one, in which it would lie as a new folder. The index and the
 * files of that one are not touched, and none of its hooks and filters is run. Rejects with a sentence for the user.
 */
export async function addWorktree(git: string, folder: string): Promise<Worktree> {
  const repository = await repositoryOf(git, folder);
  if (repository === undefined) throw new Error(say('{0} is not in a Git repository.', folder));
  const call = gitIn(git, repository, { timeout: PATIENCE });
  const prefix = (await gitIn(git, folder)('rev-parse', '--show-prefix')).replace(/\/?\n$/, '');
  const path = await freePath(basename(repository), dirname(await outermost(git, repository)));
  try {
    const guards = await withoutFilters(call, true);
    // Whatever can fail is asked first: a worktree that is there is told of.
    const submodules = await submodulesIn(git, repository);
    await call(...guards, 'worktree', 'add', '--quiet', '--detach', path, 'HEAD');
    return { path, repository, folder: join(path, prefix), submodules };
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new Error(say('Git could not create a worktree: {0}', reason), { cause: error });
  }
}

/** The repository of which this one is a submodule, and so on. */
async function outermost(git: string, repository: string): Promise<string> {
  const above = await gitIn(git, repository)('rev-parse', '--show-superproject-working-tree');
  const parent = above.replace(/\n$/, '');
  return parent === '' ? repository : outermost(git, parent);
}

async function submodulesIn(git: string, repository: string): Promise<readonly string[]> {
  const call = gitIn(git, repository, { timeout: PATIENCE, maxBuffer: LARGEST_TREE });
  const entries = await call('ls-tree', '-r', '-z', 'HEAD');
  return entries.split('\0').flatMap((entry) => /^160000 commit [0-9a-f]+\t(.+)$/s.exec(entry)?.[1] ?? []);
}

/** In `parent`, named after the repository. */
async function freePath(repository: string, parent: string): Promise<string> {
  const name = `${repository}-fork`;
  for (let number = 1; ; number += 1) {
    const path = join(parent, number === 1 ? name : `${name}-${number}`);
    if ((await ifPresent(lstat(path))) === undefined) return path;
  }
}
