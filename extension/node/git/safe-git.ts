import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { say } from '../../protocol/say.ts';

/** Runs Git with these arguments, and resolves with its output. */
export type Git = (...args: readonly string[]) => Promise<string>;

const run = promisify(execFile);

/** Options that keep Git from running programs that a repository configures. */
const GUARDS = [
  '-c',
  'core.fsmonitor=',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'diff.external=',
  '--no-pager',
];

/** Variables that would make Git look elsewhere than in the folder. */
const PLACES = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
]);

/**
 * Git does not prompt, takes no optional locks, and fetches nothing. In a partial clone, a fetch would run
 * what the remote names.
 */
const QUIET = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
};

/**
 * Returns a function that runs the Git at `program` in `folder`. Git does not prompt, and takes no repository
 * from the environment. `maxBuffer` is in bytes, `timeout` in milliseconds.
 */
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
 * Returns options that disable the filter programs of the configuration (gitattributes, `filter`). With
 * `ownOnly`, disables those of the repository's own configuration, and not the user's. Rejects if Harness
 * cannot determine or disable them.
 */
export async function withoutFilters(git: Git, ownOnly = false): Promise<string[]> {
  const lines = await git('config', '--show-scope', '--name-only', '--get-regexp', '^filter\\.').catch(
    ifNone,
  );
  const filters = new Set(
    lines.split('\n').flatMap((line) => {
      const [scope = '', key = ''] = line.split('\t');
      const isOwn = scope === 'local' || scope === 'worktree';
      // The filter's name, which may be empty, stands between the first period and the last.
      return key === '' || (ownOnly && !isOwn) ? [] : key.slice(0, key.lastIndexOf('.'));
    }),
  );
  // In an argument of `-c`, Git ends the name at the first "=", so it cannot set such a filter.
  const unsafe = [...filters].find((filter) => filter.includes('='));
  if (unsafe !== undefined)
    throw new Error(say('This repository has a filter that Harness cannot disable: {0}.', unsafe));
  return [...filters].flatMap((filter) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((setting) => ['-c', `${filter}.${setting}`]),
  );
}

/** Git exits with 1 if there are no filters. */
function ifNone(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 1) return '';
  throw error;
}
