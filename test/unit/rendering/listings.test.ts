import { expect, it } from 'vitest';
import { renderResult } from '../../../extension/core/rendering/render-result.ts';

const shown = (name: string, input: Record<string, unknown>, result: unknown) =>
  renderResult({ name, input, result: JSON.stringify(result), cwd: '/w', limit: 30_000 }).text;

it('names each file once above its matches', () => {
  const matches = '/w/a:1:x\n/w/a:20:/w/a:3:y\n/w/s/b c:2:\n... (5 more matches left out)';
  expect(shown('grep', {}, { matches, note: 'read so' })).toBe(
    'a\n1:x\n20:/w/a:3:y\n\ns/b c\n2:\n\n... (5 more matches left out)\n(read so)',
  );
  expect(shown('grep', {}, { matches: '1:a:2:b\n3:c' })).toBe('1:a:2:b\n3:c');
  expect(shown('grep', {}, { matches: '' })).toBe('No matches.');
  expect(shown('grep', { files_only: true }, { matches: '/w/a\n/w/b' })).toBe('a\nb');
});

it('names the file of context lines, whatever they contain', () => {
  const matches = [
    '/w/a-3-b.ts-1-see /w/a-3-b.ts:9: there',
    '/w/a-3-b.ts:2:x',
    '--',
    '/w/a-3-b.ts:7:x',
    '--',
    '/w/c:1:x',
    '... (2 more matches left out)',
  ];
  expect(shown('grep', { context: 1 }, { matches: matches.join('\n') })).toBe(
    'a-3-b.ts\n1-see /w/a-3-b.ts:9: there\n2:x\n--\n7:x\n\nc\n1:x\n\n... (2 more matches left out)',
  );
});

it('shows found paths in the workspace as relative ones, and a tree as it is', () => {
  expect(shown('find_files', {}, { paths: '/w/a\n/other/b' })).toBe('a\n/other/b');
  expect(shown('list_dir', { depth: 2 }, { entries: 'total 4\nsrc/\n  a' })).toBe('total 4\nsrc/\n  a');
});
