import { relative } from 'node:path';
import { isInside } from '../../core/base/paths.ts';
import { say } from '../../protocol/say.ts';
import type { MovedRepository } from './moved-repositories.ts';

/** What a scan has not found out, by absolute paths. */
export interface Uncovered {
  /** Folders. */
  readonly unlooked: readonly string[];
  /** Folders of which not all was looked at, since names in them are not UTF-8. */
  readonly mangled: readonly string[];
  /** How many changes are not listed. */
  readonly unlisted: number;
  /** Files that were changed, and whose bytes of before were not kept. */
  readonly unkept: readonly string[];
  /** Changed since a command was interrupted, by it or by somebody else. */
  readonly doubtful: readonly string[];
  /** Changed by a command, or by another that ran at the same time. */
  readonly shared: readonly string[];
  readonly repositories: readonly MovedRepository[];
  /** Files that were made or changed, and whose bytes of now were not read. */
  readonly unread: readonly string[];
}

/** Names in a sentence. */
const NAMED = 3;

/** In sentences, one a line; undefined where there is nothing to tell. */
export function reportUncovered(
  roots: readonly string[],
  { unlooked, mangled, unlisted, unkept, unread, repositories, doubtful, shared }: Uncovered,
): string | undefined {
  const told = [
    unlooked.length > 0 &&
      say('{0} folders were not looked at: {1}.', unlooked.length, listed(roots, unlooked)),
    mangled.length > 0 &&
      say(
        'In {0} folders the names of files are not UTF-8, and those files were not looked at: {1}.',
        mangled.length,
        listed(roots, mangled),
      ),
    unlisted > 0 && say('{0} more changes are not listed.', unlisted),
    repositories.length > 0 &&
      say(
        'Repositories were moved, each as a whole: {0}. Move them back yourself.',
        firstOf(repositories.map(({ from, to }) => `${nameIn(roots, from)} → ${nameIn(roots, to)}`)),
      ),
    unkept.length > 0 &&
      say('What {0} changed files held before is not kept: {1}.', unkept.length, listed(roots, unkept)),
    unread.length > 0 &&
      say('What {0} changed files hold now was not read: {1}.', unread.length, listed(roots, unread)),
    doubtful.length > 0 &&
      say(
        'The command was interrupted; whether it has changed these {0} paths is not known: {1}.',
        doubtful.length,
        listed(roots, doubtful),
      ),
    shared.length > 0 &&
      say(
        'A command of another session ran at the same time; which of the two has changed these {0} paths is not known: {1}.',
        shared.length,
        listed(roots, shared),
      ),
  ].filter((sentence) => sentence !== false);
  return told.length > 0 ? told.join('\n') : undefined;
}

function listed(roots: readonly string[], paths: readonly string[]): string {
  return firstOf(paths.map((path) => nameIn(roots, path)));
}

function firstOf(names: readonly string[]): string {
  return [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', ');
}

function nameIn(roots: readonly string[], path: string): string {
  const root = roots.find((folder) => isInside(folder, path));
  return root === undefined ? path : relative(root, path) || path;
}
