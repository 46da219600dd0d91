import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitLines } from '../../../../extension/core/base/text/lines.ts';
import { stripTerminalCodes } from '../../../../extension/core/base/text/terminal-codes.ts';
import { SecretFilter } from '../../../../extension/core/secrets/secret-filter.ts';
import { linesOf } from '../../../../extension/core/tools/read/line-range.ts';
import { linesInPlace } from '../../../../extension/core/tools/read/read.ts';
import { harmless, secrets } from '../../../support/secret-samples.ts';

const filter = new SecretFilter();
const clean = (text: string) => filter.text(text);
const colouredKey = secrets
  .filter(([kind]) => kind === 'private-key')
  .map(([, , secret]) => [...secret].map((character) => `\x1b[1m${character}`).join(''));
const texts = [...secrets.map((parts) => parts.slice(1).join('')), ...harmless, ...colouredKey];
/** More than what is looked at beside the lines. */
const far = 'a line that says nothing\n'.repeat(10_000);

test('what is hidden in lines is what is hidden in them within the whole text', () => {
  const anyText = fc
    .array(fc.constantFrom(...texts, '', 'x', far), { minLength: 1, maxLength: 7 })
    .map((chosen) => chosen.join('\n'));
  fc.assert(
    fc.property(anyText, fc.nat(), fc.integer({ min: 1, max: 9 }), (text, at, most) => {
      const count = splitLines(text).length;
      fc.pre(count > 0);
      const first = (at % count) + 1;
      const range = { first, last: first + most - 1 };
      const { content, isAll } = linesInPlace(text, range, clean);
      expect(stripTerminalCodes(content)).toBe(stripTerminalCodes(linesOf(clean(text), range)));
      expect(isAll).toBe(linesOf(text, range) === text);
    }),
    { numRuns: 200 },
  );
});

test('only what is near the lines is looked at', () => {
  const looked: number[] = [];
  const text = `${far.repeat(40)}wanted\n${far}`;
  const { content } = linesInPlace(text, { first: 400_001, last: 400_001 }, (near) => {
    looked.push(near.length);
    return clean(near);
  });
  expect(content).toBe('wanted\n');
  expect(looked).toEqual([expect.any(Number)]);
  expect(Math.max(...looked)).toBeLessThan(200_000);
});
