export interface ChangedFile {
  /** Two letters, as `git status --short` prints them. */
  readonly state: string;
  /** Relative to the folder. */
  readonly path: string;
}

/**
 * The files in `folder` (absolute) that differ from the last commit, in the order of Git. Runs no program that
 * a repository configures. Undefined without a repository, or if Git gives no answer in time. Never rejects.
 */
export type GitStatus = (folder: string) => Promise<readonly ChangedFile[] | undefined>;
