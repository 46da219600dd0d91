import { expect, it } from 'vitest';
import { ambiguousSpelling } from '../../../../extension/core/tools/common/resolve-path.ts';

it.each([
  'a::$DATA',
  'PROGRA~1',
  'x/PROGRA~1.TXT',
  '\\\\?\\C:\\a',
  '\\??\\C:\\a',
  '\\\\server\\share',
  '//server/x',
])('refuses %s on Windows', (path) => {
  expect(ambiguousSpelling(path, true)).toContain('not accepted');
  expect(ambiguousSpelling(path, false)).toBeUndefined();
});

it.each(['.git/config.', '.git /config', 'CON', 'src\\nul.txt', 'a?b'])('refuses %s on Windows', (path) => {
  expect(ambiguousSpelling(path, true)).toContain('not accepted');
});

it.each([
  'C:\\Users\\a',
  'src/..\\a.ts',
  '.',
  '..',
  './a',
  'console.ts',
  'a~b.txt',
  'ordinary-name~12 b.txt',
])('accepts %s', (path) => {
  expect(ambiguousSpelling(path, true)).toBeUndefined();
});

it.each(['~', '~/a', '~\\a', 'file:///a', 'vscode-remote://b/a', '', 'a\0'])(
  'refuses %j everywhere',
  (path) => {
    expect(ambiguousSpelling(path, false)).toBeDefined();
  },
);

it('knows a name with a tilde in it', () => {
  expect(ambiguousSpelling('~lock.txt#', false)).toBeUndefined();
});
