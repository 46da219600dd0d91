// Problems as fields of a tool's result.
import type { EditorProblem, ProblemReport, UncheckedFile } from '../../ports/language-servers.ts';

type ReportedProblem = Omit<EditorProblem, 'text'>;

export interface ProblemFields {
  readonly problems: readonly ReportedProblem[];
  /** How many more there are. */
  readonly moreProblems?: number;
  readonly notChecked?: readonly UncheckedFile[];
}

/** Errors first, then by path and line. `most`: the most problems that the result lists. */
export function problemFields({ problems, unchecked }: ProblemReport, most: number): ProblemFields {
  const sorted = problems.toSorted(inOrder);
  const more = Math.max(0, sorted.length - most);
  return {
    problems: sorted.slice(0, most).map(({ text: _, ...problem }) => problem),
    ...(more > 0 && { moreProblems: more }),
    ...(unchecked.length > 0 && { notChecked: unchecked }),
  };
}

function inOrder(a: EditorProblem, b: EditorProblem): number {
  if (a.severity !== b.severity) return a.severity === 'error' ? -1 : 1;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
