import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addOutput, LIVE_OUTPUT_LIMIT } from '../../webview/state/live-output.ts';
import { stripControls, visiblePieces, visibleText } from '../../webview/state/plain-text.ts';

test.each([
  ['colour', '\u001b[1;31mred\u001b[0m', 'red'],
  ['cursor', 'a\u001b[2K\u001b[1Gb', 'ab'],
  ['a title', '\u001b]0;title\u0007text', 'text'],
  ['a link', '\u001b]8;;https://evil\u001b\\click\u001b]8;;\u001b\\', 'click'],
  ['an unclosed link', 'a\u001b]8;;https://evil', 'a'],
  ['C1 controls', '\u009b31mred\u0090x\u009c', 'red'],
  ['bells and nulls', 'a\u0007\u0000b\u007f', 'ab'],
  ['tabs and lines', 'a\tb\r\nc\n', 'a\tb\nc\n'],
])('%s is taken out of output', (_name, output, plain) => {
  expect(stripControls(output)).toBe(plain);
});

function collect(chunks: readonly string[]): string {
  const output = { text: '', held: '' };
  for (const chunk of chunks) addOutput(output, chunk);
  return output.text;
}

test('live output is the same however its control sequences are cut', () => {
  const piece = fc.constantFrom(
    '\u001b[31m',
    'word',
    '\n',
    '\r\n',
    '\u001b]0;t\u0007',
    '\u001b]8;;u\u001b\\',
    '\u001b[0m',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 4 })),
      (pieces, sizes) => {
        const whole = `${pieces.join('')}.`;
        const chunks: string[] = [];
        let at = 0;
        for (const size of sizes) {
          chunks.push(whole.slice(at, at + size));
          at += size;
        }
        expect(collect([...chunks, whole.slice(at)])).toBe(stripControls(whole));
      },
    ),
  );
});

test('a progress bar keeps only its last state', () => {
  expect(collect(['start\n10 %\r', '50 %\r100 %\n', 'end\n'])).toBe('start\n100 %\nend\n');
});

test('of long live output the newest whole lines are kept', () => {
  const output = collect(Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`));
  expect(output.length).toBeLessThanOrEqual(LIVE_OUTPUT_LIMIT);
  expect(output).toMatch(/^line \d+\n/);
  expect(output.endsWith('line 4999\n')).toBe(true);
});

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
