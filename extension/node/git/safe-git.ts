import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { say } from '../../protocol/say.ts';

/** Runs Git with these arguments, and resolves with what it printed. */
export type Git = (...args: readonly string[]) => Promise<string>;

const run = promisify(execFile);

/** Nothing that a repository brings along is run. */
const GUARDS = [
  '-c',
  'core.fsmonitor=',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'diff.external=',
  '--no-pager',
];

/** Where Git would look instead of in the folder. */
const PLACES = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
]);

/** It asks nobody, locks nothing that it need not, and fetches nothing: a partial clone would run what its remote names. */
const QUIET = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
};

/** Git in a folder: `program` is its path. It asks nobody, and takes no repository from the environment. */
export function gitIn(
  program: string,
  folder: string,
  { maxBuffer = 1_000_000, timeout = 10_000 }: { maxBuffer?: number; timeout?: number } = {},
): Git {
  const own = Object.entries(process.env).filter(([name]) => !PLACES.has(name));
  const env = { ...Object.fromEntries(own), ...QUIET };
  return async (...args) => {
    const { stdout } = await run(program, [...GUARDS, ...args], { cwd: folder, maxBuffer, timeout, env });
    return stdout;
  };
}

/**
 * What switches off the programs that configuration names for files (gitattributes, `filter`); with `ownOnly` those that
 * the repository's own configuration names, and not the user's. Rejects where that cannot be told.
 */
export async function withoutFilters(git: Git, ownOnly = false): Promise<string[]> {
  const lines = await git('config', '--show-scope', '--name-only', '--get-regexp', '^filter\\.').catch(
    ifNone,
  );
  const filters = new Set(
    lines.split('\n').flatMap((line) => {
      const [scope = '', key = ''] = line.split('\t');
      const isOwn = scope === 'local' || scope === 'worktree';
      // Its name, which may be empty, stands between the first full stop and the last.
      return key === '' || (ownOnly && !isOwn) ? [] : key.slice(0, key.lastIndexOf('.'));
    }),
  );
  // Git takes what stands before the first "=" for the name of what `-c` sets.
  const unsafe = [...filters].find((filter) => filter.includes('='));
  if (unsafe !== undefined)
    throw new Error(say('This repository has a filter that Harness cannot disable: {0}.', unsafe));
  return [...filters].flatMap((filter) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((setting) => ['-c', `${filter}.${setting}`]),
  );
}

/** Git ends with 1 where there are none. */
function ifNone(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 1) return '';
  throw error;
}
