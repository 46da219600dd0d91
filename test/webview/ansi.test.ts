import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addOutput, emptyOutput, LIVE_OUTPUT_LIMIT, newestLines } from '../../webview/state/live-output.ts';
import { classesOf, PLAIN, restyle } from '../../webview/text/ansi-style.ts';
import { terminalLines } from '../../webview/text/terminal.ts';
import { decodeLine, looksOf } from '../../webview/text/terminal-line.ts';

const ESC = '\u001b';
const plain = (lines: readonly string[]) =>
  lines
    .map((line) =>
      decodeLine(line)
        .map(({ text }) => text)
        .join(''),
    )
    .join('\n');
const shown = (output: string) => plain(terminalLines(output));

test.each([
  ['colour', '\u001b[1;31mred\u001b[0m', 'red'],
  ['a cursor that goes elsewhere', 'a\u001b[1Gb\u001b[2Ac\u001b[?25l', 'abc'],
  ['a title', '\u001b]0;title\u0007text', 'text'],
  ['a link', '\u001b]8;;https://evil\u001b\\click\u001b]8;;\u001b\\', 'click'],
  ['an unclosed link, to the end of its line', 'a\u001b]8;;https://evil\nb', 'a\nb'],
  ['a character set', '\u001b(Ba', 'a'],
  ['C1 controls', '\u009b31mred\u0090x\u009c', 'red'],
  ['bells and nulls', 'a\u0007\u0000b\u007f', 'ab'],
  ['tabs and lines', 'a\tb\r\nc\n', 'a\tb\nc\n'],
  ['a line written over', 'abcdef\rXY', 'XYcdef'],
  ['a line written over with a longer one', 'ab\r12345', '12345'],
  ['a step back', 'abc\b\bX', 'aXc'],
  ['an end erased', 'abcdef\rXY\u001b[K', 'XY'],
  ['a beginning erased', 'abcdef\rXY\u001b[1K', '  cdef'],
  ['a line erased', 'abc\r\u001b[2Kd', 'd'],
  ['a progress bar', 'start\n10 %\r50 %\r100 %\nend', 'start\n100 %\nend'],
  ['half a character written over', '😀\ra', 'a '],
])('%s is shown as a terminal would', (_name, output, text) => {
  expect(shown(output)).toBe(text);
});

test.each([
  ['0', ''],
  ['', ''],
  ['1;31', 'sgr-31 sgr-1'],
  ['2', 'sgr-2'],
  ['3;4;9', 'sgr-3 sgr-4 sgr-9'],
  ['91', 'sgr-91'],
  ['41', 'sgr-31 sgr-fill'],
  ['30;102;1', 'sgr-92 sgr-fill sgr-1'],
  ['7', 'sgr-7'],
  ['7;32', 'sgr-32 sgr-fill'],
  ['7;44', 'sgr-7'],
  ['1;22;31;39;41;49;7;27', ''],
  ['31;32', 'sgr-32'],
  ['38;5;1', 'sgr-31'],
  ['38;5;12', 'sgr-94'],
  ['38;5;208', 'sgr-93'],
  ['38;5;21', 'sgr-94'],
  ['38;5;234', 'sgr-30'],
  ['38;5;244', 'sgr-90'],
  ['48;5;22', 'sgr-32 sgr-fill'],
  ['38;2;10;200;90', 'sgr-92'],
  ['38;2;120;20;30;1', 'sgr-31 sgr-1'],
  ['38:2::10:200:90', 'sgr-92'],
  ['38:2:10:200:90;1', 'sgr-92 sgr-1'],
  ['38:5:4', 'sgr-34'],
  ['38;9;1', 'sgr-1'],
  ['38', ''],
  ['58;5', ''],
  ['>4;2', ''],
  ['999;31', 'sgr-31'],
])('SGR %s has the classes %j', (parameters, classes) => {
  expect(classesOf(restyle(PLAIN, parameters))).toBe(classes);
});

test('a style goes on over line ends, and each line tells its own', () => {
  const looks = terminalLines(`${ESC}[31mone\ntwo${ESC}[m\nthree`).map((line) => looksOf(line));
  expect(looks).toEqual([
    [{ text: 'one', classes: 'sgr-31' }],
    [{ text: 'two', classes: 'sgr-31' }],
    [{ text: 'three', classes: '' }],
  ]);
});

test('what would hide is visible, and a rainbow has an end', () => {
  expect(looksOf('a\u202eb')).toEqual([
    { text: 'a', classes: '' },
    { text: '\\u{202e}', classes: 'escape' },
    { text: 'b', classes: '' },
  ]);
  const [rainbow = ''] = terminalLines(
    Array.from({ length: 500 }, (_, at) => `${ESC}[3${at % 7}mx`).join(''),
  );
  expect(decodeLine(rainbow).length).toBeLessThanOrEqual(64);
  expect(looksOf(rainbow).length).toBeLessThanOrEqual(17);
  expect(
    looksOf(rainbow)
      .map(({ text }) => text)
      .join(''),
  ).toBe('x'.repeat(500));
});

function collect(chunks: readonly string[]): ReturnType<typeof emptyOutput> {
  const output = emptyOutput();
  for (const chunk of chunks) addOutput(output, chunk);
  return output;
}

const pieces = fc.constantFrom(
  `${ESC}[31m`,
  `${ESC}[0;1m`,
  `${ESC}[K`,
  '\u009b4m',
  'word',
  '😀',
  '\n',
  '\r\n',
  '\r',
  '\b',
  `${ESC}]0;t\u0007`,
  `${ESC}]8;;u${ESC}\\`,
  `${ESC}(B`,
);

test('live output is the same however it is cut', () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 4 })),
      (output, sizes) => {
        // Where characters are cut is the decoder's matter, not ours.
        const whole = Array.from(`${output.join('')}.`);
        const chunks: string[] = [];
        for (const size of sizes) chunks.push(whole.splice(0, size).join(''));
        const text = `${output.join('')}.`;
        expect(collect([...chunks, whole.join('')])).toEqual(collect([text]));
        expect(collect([text]).text).toBe(terminalLines(text).join('\n'));
      },
    ),
  );
});

test('no output, whatever it is, is more than is kept, and none is shown that a terminal would obey', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 40 }),
      (chunks) => {
        const output = collect(chunks);
        const text = plain(output.text.split('\n'));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
        expect(text).not.toMatch(/[\0-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(output.held.length).toBeLessThan(5_000);
      },
    ),
  );
});

test('of long live output the newest whole lines are kept', () => {
  const { text } = collect(Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`));
  expect(text.length).toBeLessThanOrEqual(LIVE_OUTPUT_LIMIT);
  expect(text).toMatch(/^line \d+\n/);
  expect(text.endsWith('line 4999\n')).toBe(true);
});

test.each([
  ['one line without an end', 'x'.repeat(5_000_000)],
  ['a rainbow', `${ESC}[1;3;4;9;97;107mx${ESC}[1;2;3;4;35;46my`.repeat(100_000)],
  ['a control sequence without an end', `${ESC}[${'1;'.repeat(2_000_000)}`],
  ['a title without an end', `${ESC}]0;${'t'.repeat(4_000_000)}`],
  ['a line that is written over again and again', 'word\r'.repeat(400_000)],
  ['empty lines', '\n'.repeat(3_000_000)],
])('%s is kept within bounds, at once and in pieces', (_name, output) => {
  const pieces = Array.from({ length: 50 }, (_, at) => output.slice(at * 1_000, (at + 1) * 1_000));
  for (const chunks of [[output], pieces, [output, 'end']]) {
    const kept = collect(chunks);
    expect(kept.text.length).toBeLessThanOrEqual(LIVE_OUTPUT_LIMIT);
    expect(kept.held.length).toBeLessThan(5_000);
  }
});

test('after a flood the newest is shown', () => {
  const output = collect(['y\n'.repeat(1_000_000), '10 %\r', '20 %\r', '99 %']);
  expect(newestLines(output, 3)).toEqual(['y', 'y', '99 %']);
  expect(newestLines(collect(['only\n\n']), 3)).toEqual(['only']);
});
