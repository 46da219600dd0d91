import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mentionsIn, tokenAt, writeMention } from '../../../extension/protocol/mention-text.ts';

const names = (text: string) => mentionsIn(text).map(({ name }) => name);

test.each([
  ['see @src/a.ts, then @b.ts.', ['src/a.ts', 'b.ts']],
  ['@"a b.ts" and @src/', ['a b.ts', 'src/']],
  ['(@src/a.ts:3-9)', ['src/a.ts:3-9']],
  ['@src/a.ts#Store.open!', ['src/a.ts#Store.open']],
  ['me@example.org a@b', []],
  ['@ @"" @,', []],
  ['`@decorated` x', ['decorated']],
  ['@@a', []],
  ['@日本/語.ts。', ['日本/語.ts。']],
])('%s mentions %j', (text, expected) => {
  expect(names(text)).toEqual(expected);
});

test('a name that was written is read as it was', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => !/["\n\r\u2028\u2029]/.test(text));
  fc.assert(
    fc.property(name, fc.constantFrom('', 'see ', '('), (written, before) => {
      const [mention] = mentionsIn(`${before}${writeMention(written)} next`);
      expect(mention?.name).toBe(written);
      expect(mention?.start).toBe(before.length);
    }),
  );
});

/** `|` is the caret; the token as `kind query start-end`. */
function at(text: string): string {
  const caret = text.indexOf('|');
  const token = tokenAt(text.replace('|', ''), caret);
  return token ? `${token.kind} ${token.query} ${token.start}-${token.end}` : '';
}

test.each([
  ['|', ''],
  ['@|', 'mention  0-1'],
  ['see @sr|', 'mention sr 4-7'],
  ['see @sr|c/a.ts now', 'mention sr 4-13'],
  ['see @"a b|.ts" now', 'mention a b 4-13'],
  ['see @"a b| now', 'mention a b 4-9'],
  ['see @src |', ''],
  ['mail me@ex|', ''],
  ['/|', 'command  0-1'],
  ['/mo|del', 'command mo 0-6'],
  ['/mo| ', 'command mo 0-3'],
  ['/usr/|', ''],
  ['/usr|/bin', ''],
  ['/new| it', ''],
  [' /mo|', ''],
  ['a\n/mo|', ''],
])('what can be completed in %s', (text, expected) => {
  expect(at(text)).toBe(expected);
});
