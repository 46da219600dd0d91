// What the model of a fork is told of the files, which may be others than those that it has read of.

import type { Root } from '../../ports/workspace.ts';
import type { RestoredFile } from '../restored-file.ts';
import { listed, shortName } from './notice.ts';

/** Where they are as they are now: whenever the first session has gone on from there. */
export const FILES_OF_NOW =
  'The user goes on from an earlier point of this conversation. The files are as they are now: what was done to them after that point is not undone. Read them again before you rely on what was said of them.';

/** Behind that, where the user has them put back to what they were at that point: what came of it. */
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

/** Where it goes on in a worktree of its own, with the files of then but for those in `others`. */
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
