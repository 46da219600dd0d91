import { describe, expect, test } from 'vitest';
import type { EditorProblem } from '../../../../extension/core/ports/language-servers.ts';
import { newProblems } from '../../../../extension/core/tools/problems/new-problems.ts';
import { problemFields } from '../../../../extension/core/tools/problems/report-fields.ts';

const problem = (given: Partial<EditorProblem>): EditorProblem => ({
  path: '/w/a.ts',
  line: 1,
  column: 1,
  severity: 'error',
  message: 'wrong',
  text: 'one();',
  ...given,
});

describe('new problems', () => {
  test('an old problem on a line that moved is not new', () => {
    const after = [problem({ line: 9, column: 5 })];
    expect(newProblems([problem({})], after, ['/w/a.ts'])).toEqual([]);
  });

  test('the same message on another line, or once more on an equal line, is new', () => {
    const other = problem({ line: 2, text: 'two();' });
    const again = problem({ line: 3 });
    expect(newProblems([problem({})], [problem({}), other, again], ['/w/a.ts'])).toEqual([other, again]);
  });

  test('a warning that became an error is new', () => {
    expect(newProblems([problem({ severity: 'warning' })], [problem({})], [])).toEqual([problem({})]);
  });

  test('a problem moves with its file, and stays apart in files that were not touched', () => {
    const moved = problem({ path: '/w/lib/a.ts' });
    expect(newProblems([problem({})], [moved], ['/w/a.ts', '/w/lib'])).toEqual([]);
    expect(newProblems([problem({})], [moved], ['/w/a.ts'])).toEqual([moved]);
  });
});

test('a result lists errors first, and counts what it leaves out', () => {
  const warning = problem({ severity: 'warning', path: '/w/0.ts' });
  const [first, second] = [problem({ line: 2 }), problem({ line: 10 })];
  const report = { problems: [warning, second, first], unchecked: [] };
  const { text: _, ...shown } = first;
  expect(problemFields(report, 1)).toEqual({ problems: [shown], moreProblems: 2 });
});
