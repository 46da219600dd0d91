// Which problems a change has caused.
import { isInside } from '../../base/paths.ts';
import type { EditorProblem } from '../../ports/language-servers.ts';

/**
 * The problems of `after` that `before` does not have. Compares messages and the texts of lines, because a
 * change moves the lines after it. The touched files count as one, because a problem moves with its file.
 */
export function newProblems(
  before: readonly EditorProblem[],
  after: readonly EditorProblem[],
  touched: readonly string[],
): readonly EditorProblem[] {
  const keyOf = ({ path, severity, message, text }: EditorProblem) =>
    JSON.stringify([touched.some((each) => isInside(each, path)) ? '' : path, severity, message, text]);
  const known = new Map<string, number>();
  for (const problem of before) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return after.filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}
