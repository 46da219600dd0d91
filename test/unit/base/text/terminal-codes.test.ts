import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  cutAfter,
  cutBefore,
  stripTerminalCodes,
} from '../../../../extension/core/base/text/terminal-codes.ts';

it.each([
  ['a colour', 'a\x1b[1;31mb', 4, 1, 8],
  ['before a colour', 'a\x1b[1;31mb', 1, 1, 1],
  ['behind a colour', 'a\x1b[1;31mb', 8, 8, 8],
  ['a title', '\x1b]0;title\x07b', 7, 0, 10],
  ['the end of a link', '\x1b]8;;x\x1b\\b', 7, 0, 8],
  ['an unfinished colour', 'a\x1b[31', 3, 1, 5],
  ['a C1 control', 'a\x9b31mb', 3, 1, 5],
  ['a character', 'a😀b', 2, 1, 3],
  ['text', 'abc', 2, 2, 2],
])('does not cut %s', (_, output, index, before, after) => {
  expect([cutBefore(output, index), cutAfter(output, index)]).toEqual([before, after]);
});

it('leaves both sides what they were', () => {
  const unit = fc.constantFrom('\x1b', '[', ']', 'P', '\\', '\x07', '\x9b', '3', ';', 'm', 'a', '\n', '😀');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), fc.nat(30), (output, at) => {
      for (const cut of [cutBefore, cutAfter]) {
        const index = cut(output, Math.min(at, output.length));
        const halves = [output.slice(0, index), output.slice(index)];
        expect(halves.map(stripTerminalCodes).join('')).toBe(stripTerminalCodes(output));
      }
    }),
    { numRuns: 3000 },
  );
});
