import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visiblePieces, visibleText } from '../../webview/text/plain-text.ts';

test.each([
  ['bidi override', 'a\u202eb', 'a\\u{202e}b'],
  ['zero width', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
  ['tag characters', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['variation selectors', 'a\u{e0100}b', 'a\\u{e0100}b'],
  ['no-break space', 'a\u00a0b', 'a\\u{a0}b'],
  ['escape and carriage return', '\u001b[0m\r', '\\u{1b}[0m\\r'],
  ['tabs', 'a\t\tb', 'a\\t\\tb'],
  ['fillers that look empty', 'a\u3164\u2800b', 'a\\u{3164}\\u{2800}b'],
  ['half of a pair', 'a\ud800b', 'a\\u{d800}b'],
  ['line separators', 'a\u2028b', 'a\\u{2028}b'],
])('%s is shown as an escape where something is approved', (_name, hidden, visible) => {
  expect(visibleText(hidden)).toBe(visible);
});

test('ordinary text, also of other scripts, is shown as it is', () => {
  for (const text of ['npm test && echo "ok"', 'Grüße, 你好, שלום, 🎉', '  indented']) {
    expect(visiblePieces(text, true)).toEqual([{ text, hidden: false }]);
  }
});

test('code keeps its tabs and spaces, but not what hides', () => {
  expect(visiblePieces('a\tb\u00a0\u202ec', false)).toEqual([
    { text: 'a\tb\u00a0', hidden: false },
    { text: '\\u{202e}', hidden: true },
    { text: 'c', hidden: false },
  ]);
});

test('the visible pieces lose no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const whole = visiblePieces(text, true).map((piece) =>
        piece.hidden
          ? piece.text.replace(/\\t|\\r|\\u\{([0-9a-f]+)\}/g, (sign, code) =>
              code ? String.fromCodePoint(Number.parseInt(code, 16)) : sign === '\\t' ? '\t' : '\r',
            )
          : piece.text,
      );
      expect(whole.join('')).toBe(text);
    }),
  );
});
