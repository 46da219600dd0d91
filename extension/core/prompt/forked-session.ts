/** What a model is told that goes on from an earlier point, where the files are as they are now. */
export const FILES_OF_NOW =
  'The user goes on from an earlier point of this conversation. The files are as they are now: what was done to them after that point is not undone. Read them again before you rely on what was said of them.';

/** The same where it goes on in a worktree of its own, `path`, with the files of then. */
export function filesOfThen(path: string, repository: string): string {
  return `The user goes on from an earlier point of this conversation, in a copy of the repository: ${path}. Work there. What was said of files below ${repository} holds for the same files in the copy, which are as they were at that point.`;
}
