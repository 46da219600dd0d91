/** Judges two attempts at test files: which files run again, which results count, and which are flaky. */

/** A test and its message. */
export interface Failure {
  readonly name: string;
  readonly text: string;
}

export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** False if another file ended or hung VS Code before this one could run. */
  readonly begun: boolean;
  /** The log folders of the VS Code in which it ran. */
  readonly logs: readonly string[];
}

export interface Attempt {
  readonly files: readonly FileResult[];
  /** Failures outside of any file. */
  readonly strays: readonly Failure[];
}

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Files that failed and then passed, as they were when they failed. */
  readonly flaky: readonly FileResult[];
}

/** A failed file runs alone, so that it has a fresh VS Code. Files that did not run share a group. */
export function groupsToRunAgain(first: Attempt): string[][];

export function join(attempts: readonly Attempt[]): Attempt;

/** If a file has a second attempt, only that one counts. A failure outside of any file always counts. */
export function judge(first: Attempt, again?: Attempt): Verdict;

/** The lines at the end of the run about flaky files such as "browser crash.test.ts"; empty without any. */
export function flakyLines(flaky: readonly string[]): string[];

/** Whether there are so many that the run fails. */
export function tooFlaky(flaky: readonly string[]): boolean;
