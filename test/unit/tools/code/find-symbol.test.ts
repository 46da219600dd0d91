import { expect, test } from 'vitest';
import { LineView } from '../../../../extension/core/rendering/line-view.ts';
import { findSymbol } from '../../../../extension/core/tools/code/find-symbol.ts';

const context = { withoutSecrets: (text: string) => text };
const TEXT = 'const a = b.c.d;\r\nab(a, a2);\nx = x + 1;\nlast';

function find(symbol: string, line?: number, view = LineView.empty) {
  return findSymbol(context, { path: '/w/f.ts', version: 'v', text: TEXT, view }, { symbol, line });
}

test('a name is found as a whole word', () => {
  expect(find('a', 2)).toEqual({ line: 2, column: 4 });
  expect(find('last')).toEqual({ line: 4, column: 1 });
});

test('of a chain of names, the last one is meant', () => {
  expect(find('b.c.d', 1)).toEqual({ line: 1, column: 15 });
});

test('a line number means the line that the model read under it', () => {
  const view = LineView.whole(3).afterSplices([{ start: 1, end: 1, added: 1 }]);
  expect(find('last', 3, view)).toEqual({ line: 4, column: 1 });
});

test('a current line number from elsewhere counts where the carried one has no such symbol', () => {
  const view = LineView.whole(3).afterSplices([{ start: 1, end: 1, added: 1 }]);
  expect(find('a2', 2, view)).toEqual({ line: 2, column: 7 });
});

test('an error names the lines and columns to choose from', () => {
  expect(() => find('x', 3)).toThrow('is on line 3 more than once (columns 1, 5)');
  expect(find('x + 1', 3)).toEqual({ line: 3, column: 5 });
  expect(() => find('a', 4)).toThrow('is not on line 4, which is “last”; “a” is on lines 1, 2');
  expect(() => find('a')).toThrow('line: missing, and “a” is on lines 1, 2; give the line');
  expect(() => find('nowhere')).toThrow('“nowhere” is not in /w/f.ts');
  expect(() => find('nowhere', 1)).toThrow('it is nowhere in the file');
  expect(() => find('a', 9)).toThrow('line 9 out of range (file has 4 lines)');
});
