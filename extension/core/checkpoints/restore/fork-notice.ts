// What the model of a fork reads about the files, which may differ from what the conversation says of them.

import type { Root } from '../../ports/workspace.ts';
import type { RestoredFile } from '../restored-file.ts';
import { listed, shortName } from './notice.ts';

/**
 * For a fork whose files stay as they are now, although the first session continued after the point of the
 * fork.
 */
export const FILES_OF_NOW =
  'The user goes on from an earlier point of this conversation. The files are as they are now: what was done to them after that point is not undone. Read them again before you rely on what was said of them.';

/**
 * Follows `FILES_OF_NOW` after the user had the files restored to the point of the fork. Reports the result.
 */
export function filesPutBack(
  files: readonly RestoredFile[],
  roots: readonly Root[],
  unknown: readonly string[],
): string {
  const named = (...outcomes: RestoredFile['outcome'][]) =>
    files.filter(({ outcome }) => outcomes.includes(outcome)).map(({ path }) => shortName(path, roots));
  return [
    'The user has now had the files put back to what they were at that point.',
    ...except('These have later edits of the user in them', named('merged')),
    ...except('These were not put back, and are as they are now', named('kept', 'failed')),
    ...except('Not undone, since it was never found out what it has changed', unknown),
    'Read files again before you edit them.',
  ].join(' ');
}

/**
 * For a fork in its own worktree, whose files are as they were at the point of the fork, except those in
 * `others`.
 */
export function filesOfThen(
  { path, repository, submodules }: { path: string; repository: string; submodules: readonly string[] },
  others: readonly string[],
): string {
  return [
    `The user goes on from an earlier point of this conversation, in a copy of the repository: ${path}. Work there. What was said of files below ${repository} holds for the same files in the copy, which are as they were at that point.`,
    ...except('These could not be made so', others),
    ...except('Its submodules are empty in the copy', submodules),
  ].join(' ');
}

function except(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${listed(names)}.`];
}
