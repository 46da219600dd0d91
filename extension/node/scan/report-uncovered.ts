import { relative } from 'node:path';
import { isInside } from '../../core/base/paths.ts';
import { say } from '../../protocol/say.ts';
import type { MovedRepository } from './moved-repositories.ts';

/** What a scan could not determine, by absolute paths. */
export interface Uncovered {
  /** Folders that were not looked at. */
  readonly unlooked: readonly string[];
  /** Folders that were looked at only in part, because names in them are not UTF-8. */
  readonly mangled: readonly string[];
  /** Number of changes that are not listed. */
  readonly unlisted: number;
  /** Changed files whose previous bytes were not stored. */
  readonly unkept: readonly string[];
  /** Paths changed since a command was interrupted, by it or by someone else. */
  readonly doubtful: readonly string[];
  /** Paths changed by a command, or by another that ran at the same time. */
  readonly shared: readonly string[];
  readonly repositories: readonly MovedRepository[];
  /** New or changed files whose current bytes were not read. */
  readonly unread: readonly string[];
}

/** Maximum number of names in a sentence. */
const NAMED = 3;

/** Returns sentences, one a line; undefined if there is nothing to report. */
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
