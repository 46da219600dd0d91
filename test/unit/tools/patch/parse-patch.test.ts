import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ToolError } from '../../../../extension/core/base/tool-error.ts';
import { parsePatch } from '../../../../extension/core/tools/patch/parse-patch.ts';

const patch = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

const ADDED = { kind: 'add', path: 'a b.txt', lines: ['one', '', '*** End Patch'] };

test('All that a patch can do', () => {
  const text = patch(
    '*** Add File: a b.txt',
    '+one',
    '+',
    '+*** End Patch',
    '*** Delete File: old.txt',
    '*** Update File: src/a.ts',
    '*** Move to: src/b.ts',
    '@@ class A',
    '@@   f() {',
    ' x',
    '-y',
    '+z',
    '@@',
    '+last',
    '*** End of File',
    '*** Update File: c',
    '*** Move to: d',
  );
  expect(parsePatch(text)).toEqual([
    ADDED,
    { kind: 'delete', path: 'old.txt' },
    {
      kind: 'update',
      path: 'src/a.ts',
      moveTo: 'src/b.ts',
      chunks: [
        {
          headers: ['class A', '  f() {'],
          lines: [
            { sign: ' ', text: 'x' },
            { sign: '-', text: 'y' },
            { sign: '+', text: 'z' },
          ],
          atEnd: false,
        },
        { headers: [], lines: [{ sign: '+', text: 'last' }], atEnd: true },
      ],
    },
    { kind: 'update', path: 'c', moveTo: 'd', chunks: [] },
  ]);
});

const plain = patch('*** Update File: a', '@@', '-x', '+y');
const same: [what: string, text: string][] = [
  ['white space around it', `\n\n  ${plain}  \n\n`],
  ['CRLF', plain.replaceAll('\n', '\r\n')],
  ['a heredoc', `<<'EOF'\n${plain}\nEOF\n`],
  ['a heredoc with other quotes', `<<"EOF"\n${plain}\nEOF`],
  ['a bare heredoc', `<<EOF\n${plain}\nEOF`],
  ['a command around it', `apply_patch <<'PATCH'\n${plain}\nPATCH`],
  ['white space at the markers', plain.replace('*** Update File: a', '  *** Update File:   a  ')],
  ['no place', plain.replace('@@\n', '')],
  ['an environment', plain.replace('*** Update', '*** Environment ID: e1\n*** Update')],
  ['an empty line at the end', plain.replace('\n*** End', '\n\n*** End')],
];

test.each(same)('A patch with %s is the same', (_what, text) => {
  expect(parsePatch(text)).toEqual(parsePatch(plain));
});

test('An empty line between files belongs to none, one before the end of the file is context', () => {
  const files = parsePatch(patch('*** Update File: a', '-x', '', '*** Delete File: b', ''));
  expect(files).toMatchObject([{ chunks: [{ lines: [{ text: 'x' }] }] }, { kind: 'delete' }]);
  const [file] = parsePatch(patch('*** Update File: a', '-x', '', '*** End of File'));
  expect(file).toMatchObject({ chunks: [{ lines: [{ text: 'x' }, { sign: ' ', text: '' }], atEnd: true }] });
});

const wrong: [what: string, text: string, words: string][] = [
  ['no beginning', 'x\n*** End Patch', "the first line must be '*** Begin Patch'"],
  ['nothing at all', '', "the first line must be '*** Begin Patch'"],
  ['no end', '*** Begin Patch\n*** Update File: a.ts\n-old\n+new', "the last line must be '*** End Patch'"],
  ['one line', '*** Begin Patch', "the last line must be '*** End Patch'"],
  ['no file', patch(), 'No files were modified'],
  [
    'an unknown header',
    patch('*** Rename File: a'),
    "line 2: '*** Rename File: a' begins no file; files begin with",
  ],
  ['no path', patch('*** Add File:', '+a'), "line 2: there is no path after '*** Add File:'"],
  ['a bad new line', patch('*** Add File: a', '+a', 'b'), "line 4: every line of a new file begins with '+'"],
  ['an empty update', patch('*** Update File: a'), "line 2: the update of 'a' is empty"],
  ['a place without lines', patch('*** Update File: a', '@@ f'), "there are no lines after '@@'"],
  ['a bad line', patch('*** Update File: a', '-x', 'y'), "and this one does not: 'y'"],
];

test.each(wrong)('%s is told', (_what, text, words) => {
  expect(() => parsePatch(text)).toThrow(words);
});

test('Whatever is written, it is a patch or a word about what is wrong', () => {
  const line = fc.constantFrom(
    '*** Begin Patch',
    '*** End Patch',
    '*** Add File: a',
    '*** Delete File: b',
    '*** Update File: c',
    '*** Move to: d',
    '*** End of File',
    '@@',
    '@@ f',
    '+x',
    '-y',
    ' z',
    '',
    '?',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), (lines, framed) => {
      const text = framed ? patch(...lines) : lines.join('\n');
      try {
        expect(parsePatch(text).length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(ToolError);
      }
    }),
    { numRuns: 1000 },
  );
});
