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
  /** Pipes, sockets and devices that were made or removed. */
  readonly special: readonly string[];
  /** Paths changed by a command, or by another that ran at the same time. */
  readonly shared: readonly string[];
  /** Paths changed while a command went on in the background, by it or by someone else. */
  readonly background: readonly string[];
  readonly repositories: readonly MovedRepository[];
  /** New or changed files whose current bytes were not read. */
  readonly unread: readonly string[];
}

/** Maximum number of names in a sentence. */
const NAMED = 3;

/** Returns sentences, one a line; undefined if there is nothing to report. */
export function reportUncovered(
  roots: readonly string[],
  {
    unlooked,
    mangled,
    unlisted,
    unkept,
    unread,
    repositories,
    doubtful,
    special,
    shared,
    background,
  }: Uncovered,
): string | undefined {
  const sentences = [
    unlooked.length > 0 &&
      say(
        'Harness did not check these folders ({0}) for changes: {1}.',
        unlooked.length,
        listed(roots, unlooked),
      ),
    mangled.length > 0 &&
      say(
        'Harness did not check files with names that are not UTF-8 in these folders ({0}): {1}.',
        mangled.length,
        listed(roots, mangled),
      ),
    unlisted > 0 && say('{0} more changes are not listed.', unlisted),
    repositories.length > 0 &&
      say(
        'Repositories were moved as a whole: {0}. Undo does not cover this. Move them back yourself.',
        firstOf(repositories.map(({ from, to }) => `${nameIn(roots, from)} → ${nameIn(roots, to)}`)),
      ),
    unkept.length > 0 &&
      say(
        'The previous contents of these changed files ({0}) were not stored: {1}.',
        unkept.length,
        listed(roots, unkept),
      ),
    unread.length > 0 &&
      say(
        'The current contents of these changed files ({0}) were not read: {1}.',
        unread.length,
        listed(roots, unread),
      ),
    special.length > 0 &&
      say(
        'These pipes, sockets or devices ({0}) were made or removed, and undo leaves them as they are: {1}.',
        special.length,
        listed(roots, special),
      ),
    doubtful.length > 0 &&
      say(
        'The command was interrupted. It may have changed these paths ({0}): {1}.',
        doubtful.length,
        listed(roots, doubtful),
      ),
    shared.length > 0 &&
      say(
        'A command of another session ran at the same time. Either command may have changed these paths ({0}): {1}.',
        shared.length,
        listed(roots, shared),
      ),
    background.length > 0 &&
      say(
        'These paths ({0}) changed while the command ran in the background. Another program may have changed them: {1}.',
        background.length,
        listed(roots, background),
      ),
  ].filter((sentence) => sentence !== false);
  return sentences.length > 0 ? sentences.join('\n') : undefined;
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
