/** What two attempts at test files come to: what is run once more, what counts, and what is called flaky. */

/** A test, and what it said. */
export interface Failure {
  readonly name: string;
  readonly text: string;
}

export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** Not where another file ended or hung VS Code before this one had its turn. */
  readonly begun: boolean;
  /** The log folders of the VS Code in which it ran. */
  readonly logs: readonly string[];
}

export interface Attempt {
  readonly files: readonly FileResult[];
  /** Failures that belong to no file. */
  readonly strays: readonly Failure[];
}

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Files that failed and then passed, as they were when they failed. */
  readonly flaky: readonly FileResult[];
}

/** A file that failed is run alone, so that it has a fresh VS Code. Files that had no turn have one together. */
export function groupsToRunAgain(first: Attempt): string[][];

export function join(attempts: readonly Attempt[]): Attempt;

/** Of a file that has a second attempt, that one counts. A failure without a file is never forgiven. */
export function judge(first: Attempt, again?: Attempt): Verdict;

/** What is said at the end of the whole run about files such as "browser crash.test.ts"; nothing without any. */
export function flakyLines(flaky: readonly string[]): string[];

/** So many that the run fails. */
export function tooFlaky(flaky: readonly string[]): boolean;
