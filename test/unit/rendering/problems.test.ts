import { expect, test } from 'vitest';
import { renderResult } from '../../../extension/core/rendering/render-result.ts';

function rendered(name: string, result: object, input = {}, limit = 30_000): string {
  return renderResult({ name, input, result: JSON.stringify(result), cwd: '/w', limit }).text;
}

const PROBLEM = {
  path: '/w/src/a.ts',
  line: 3,
  column: 5,
  severity: 'error',
  message: 'Not\n  assignable.',
  source: 'ts',
  code: '2322',
};

test('a change shows its new problems after what it did', () => {
  const result = { path: '/w/src/a.ts', bytesWritten: 3, problems: [PROBLEM] };
  expect(rendered('write', result)).toBe(
    'Wrote src/a.ts.\n1 new problem:\nsrc/a.ts:3:5: error: Not assignable. (ts 2322)',
  );
});

test('a change without an editor reads as ever', () => {
  expect(rendered('write', { path: '/w/a', bytesWritten: 3 })).toBe('Wrote a.');
  expect(rendered('apply_patch', { content: 'Success.\nM a\n' })).toBe('Success.\nM a\n');
});

test('a checked change says that nothing is new, an unchecked one never does', () => {
  const notChecked = [{ path: '/w/a', why: 'closed' }];
  expect(rendered('move', { source: '/w/a', destination: '/w/b', problems: [] })).toBe(
    'Moved a to b.\nNo new problems.',
  );
  expect(rendered('apply_patch', { content: 'M a\n', problems: [], notChecked })).toBe(
    'M a\nNot checked for problems: a (no tab shows it, and language servers check only such files)',
  );
});

test('the list of all problems says when it knows nothing', () => {
  expect(rendered('diagnostics', { problems: [PROBLEM], moreProblems: 4 })).toBe(
    '5 problems:\nsrc/a.ts:3:5: error: Not assignable. (ts 2322)\n... and 4 more',
  );
  expect(rendered('diagnostics', { problems: [] })).toContain('No problems are known.');
  expect(rendered('diagnostics', { problems: [] }, { path: 'a' })).toBe('No problems.');
  const notChecked = [{ path: '/w/a', why: 'silent' }];
  expect(rendered('diagnostics', { problems: [], notChecked }, { path: 'a' })).toBe(
    'Not checked for problems: a (no language server has answered in time)',
  );
});

test('answers about code are lines of paths', () => {
  const places = [
    { path: '/w/a.ts', line: 2, column: 1, text: 'f();' },
    { path: '/lib/b.ts', line: 9, column: 1, text: '' },
  ];
  expect(rendered('code', { places, more: 3 }, { action: 'references' })).toBe(
    'a.ts:2: f();\n/lib/b.ts:9\n... and 3 more',
  );
  expect(rendered('code', { places: [] }, { action: 'references' })).toBe(
    'The language server gives no references here. Use grep to search the text.',
  );
  const symbols = [
    { name: 'C', kind: 'class', line: 1, depth: 0 },
    { name: 'm', kind: 'method', line: 12, depth: 1 },
  ];
  expect(rendered('code', { symbols })).toBe('    1  class C\n   12    method m');
  expect(rendered('code', { content: '' }, { action: 'hover' })).toBe(
    'The language server knows nothing of it.',
  );
  expect(rendered('code', { symbol: 'a', newName: 'b', files: ['/w/a.ts'], problems: [] })).toBe(
    'Renamed a to b in:\nM a.ts\nNo new problems.',
  );
});
