import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { say } from '../../protocol/say.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { gitIn, withoutFilters } from './safe-git.ts';

/** Milliseconds. The checkout of a large repository takes long. */
const PATIENCE = 600_000;

/** Maximum bytes of Git's list of the files in a commit. */
const LARGEST_TREE = 500_000_000;

export interface Worktree {
  /** The new folder. `repository` is the one that it is a worktree of. */
  readonly path: string;
  readonly repository: string;
  /** The folder in the worktree that corresponds to the requested one. */
  readonly folder: string;
  /** Paths of the repository's submodules, relative to it. In the new folder, they are empty. */
  readonly submodules: readonly string[];
}

/** Resolves with the top folder of the repository that contains `folder`; undefined if there is none. */
export async function repositoryOf(git: string, folder: string): Promise<string | undefined> {
  const top = await gitIn(git, folder)('rev-parse', '--show-toplevel').catch(() => '');
  return top.replace(/\n$/, '') || undefined;
}

/**
 * Makes a worktree at the current commit, beside the repository that contains `folder`. For a submodule,
 * makes it beside the outermost repository, in which it would otherwise show up as a new folder. Does not
 * touch the repository's index and files, and runs none of its hooks and filters. Rejects with a sentence for
 * the user.
 */
export async function addWorktree(git: string, folder: string): Promise<Worktree> {
  const repository = await repositoryOf(git, folder);
  if (repository === undefined) throw new Error(say('{0} is not in a Git repository.', folder));
  const call = gitIn(git, repository, { timeout: PATIENCE });
  const prefix = (await gitIn(git, folder)('rev-parse', '--show-prefix')).replace(/\/?\n$/, '');
  const path = await freePath(basename(repository), dirname(await outermost(git, repository)));
  try {
    const guards = await withoutFilters(call, true);
    // Everything else that can fail comes first, so that the caller learns of each worktree that exists.
    const submodules = await submodulesIn(git, repository);
    await call(...guards, 'worktree', 'add', '--quiet', '--detach', path, 'HEAD');
    return { path, repository, folder: join(path, prefix), submodules };
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new Error(say('Git could not create a worktree: {0}', reason), { cause: error });
  }
}

/** Follows submodules up to the repository that is not a submodule. */
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

/** Returns an unused path in `parent`, named after the repository. */
async function freePath(repository: string, parent: string): Promise<string> {
  const name = `${repository}-fork`;
  for (let number = 1; ; number += 1) {
    const path = join(parent, number === 1 ? name : `${name}-${number}`);
    if ((await ifPresent(lstat(path))) === undefined) return path;
  }
}
