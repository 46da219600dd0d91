import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasTerminalCodes, stripTerminalCodes } from '../../../../extension/core/base/text/terminal-codes.ts';

it.each([
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['cursor and screen', 'a\x1b[2J\x1b[?25lb\x1b[10;20H', 'ab'],
  ['a title', '\x1b]0;title\x07x', 'x'],
  ['the clipboard', 'a\x1b]52;c;ZXZpbA==\x1b\\b', 'ab'],
  ['a link', '\x1b]8;;file:///etc\x1b\\text\x1b]8;;\x1b\\', 'text'],
  ['an open link', '\x1b]8;;file:///etc\nnext line', '\nnext line'],
  ['shell integration', '\x1b]633;D;0\x07ok', 'ok'],
  ['device control', 'a\x1bP1$r0m\nmore\x1b\\b', 'ab'],
  ['open device control', 'a\x1bP1$r0m\nb', 'a\nb'],
  ['C1 controls', 'a\x9b31mb\x9d0;t\x9cc\x85d', 'abcd'],
  ['two-character escapes', '\x1b7\x1bMa\x1b(Bb\x1b=', 'ab'],
  ['an escape at the end', 'a\x1b', 'a'],
  ['an unfinished sequence at the end', 'a\x1b[31', 'a'],
  ['other controls', 'a\x00\x07\x08\x0b\x0c\x0e\x7fb', 'ab'],
  ['nothing else', 'a\tb\r\nc\u00e9😀\u200d', 'a\tb\r\nc\u00e9😀\u200d'],
])('strips %s', (_, text, plain) => {
  expect(stripTerminalCodes(text)).toBe(plain);
  expect(hasTerminalCodes(text)).toBe(text !== plain);
});

it('leaves no control character but tab, feed and return', () => {
  const unit = fc.constantFrom(
    '\x1b',
    '[',
    ']',
    'P',
    '\\',
    '\x07',
    '\x9b',
    '\x90',
    '\x9c',
    '0',
    ';',
    'm',
    'a',
    '\n',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      expect([...stripTerminalCodes(text)].every((c) => c >= ' ' || c === '\n')).toBe(true);
      expect(stripTerminalCodes(text)).not.toMatch(/[\u007f-\u009f]/);
    }),
    { numRuns: 2000 },
  );
});

it('does linear work on hostile output', () => {
  for (const piece of ['\x90\n', '\x1bP\n', '\x1b]\n', '\x9d\n', '\x1b[', '\x1b[0;', '\x98x\n']) {
    expect(stripTerminalCodes(piece.repeat(400_000)).length).toBeLessThan(1_000_000);
  }
});
