import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { TerminalFilter } from '../../../../extension/vscode/terminal/terminal-filter.ts';

function filter(text: string): string {
  return new TerminalFilter().push(text);
}

describe('what a command may do to the terminal', () => {
  const rows: readonly (readonly [what: string, text: string, shown: string])[] = [
    ['text in any script', 'abc äöü 漢字 😀', 'abc äöü 漢字 😀'],
    ['a lone line feed', 'a\nb\n', 'a\r\nb\r\n'],
    ['CR LF', 'a\r\nb', 'a\r\nb'],
    ['progress on one line', '10%\r20%\b\b\t', '10%\r20%\b\b\t'],
    [
      'colours',
      '\x1b[1;31mred\x1b[38;2;1;2;3m\x1b[4:3mx\x1b[0m\x1b[m',
      '\x1b[1;31mred\x1b[38;2;1;2;3m\x1b[4:3mx\x1b[0m\x1b[m',
    ],
    ['CSI as one character', '\x9b31mred', '\x1b[31mred'],
    ['cursor movement and clearing', 'a\x1b[2J\x1b[H\x1b[10A\x1b[Kb', 'ab'],
    ['private modes', '\x1b[?1049h\x1b[?25lx\x1b[>4m\x1b[?4m', 'x'],
    ['questions that the terminal would answer', '\x1b[c\x1b[6n\x1b[>0q\x05x', 'x'],
    ['the clipboard (OSC 52)', '\x1b]52;c;cm0gLXJmIC8=\x07x', 'x'],
    ['the title (OSC 0), ended by ST', '\x1b]0;title\x1b\\x', 'x'],
    ['a link (OSC 8)', '\x1b]8;;file:///etc\x1b\\click\x1b]8;;\x1b\\', 'click'],
    ['shell integration (OSC 633)', '\x1b]633;D;0\x07x', 'x'],
    ['OSC as one character', '\x9d0;title\x9cx', 'x'],
    ['an OSC that is never ended', '\x1b]8;;http://evil\nnext', '\r\nnext'],
    ['an OSC that is cut by a colour', '\x1b]0;abc\x1b[31mx', '\x1b[31mx'],
    ['DCS, SOS, PM and APC', '\x1bPq#0\x1b\\\x1bXa\x1b\\\x1b^b\x1b\\\x1b_c\x1b\\x', 'x'],
    ['reset, charsets, keypad', '\x1bc\x1b(0\x1b=\x1b7x', 'x'],
    ['other controls', 'a\0\x07\x0b\x0c\x0e\x0f\x7f\x85\x84b', 'ab'],
    ['a sequence that is broken by a line end', '\x1b[31\nx', '\r\nx'],
    ['a sequence with an endless parameter', `\x1b[${'1'.repeat(10_000)}mx`, `\x1b[${'1'.repeat(64)}mx`],
    ['SGR with an intermediate', '\x1b[1 mx', 'x'],
  ];

  it.each(rows)('%s', (_, text, shown) => {
    expect(filter(text)).toBe(shown);
  });
});

const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '\x1b',
    '\x1b[',
    '\x1b]',
    '\x1bP',
    '\x9b',
    '\x9d',
    '\x07',
    '\x1b\\',
    '\x9c',
    '31',
    ';',
    'm',
    'H',
    '\r',
    '\n',
    '\b',
    '\t',
  ),
  fc.string({ unit: fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)) }),
);
const output = fc.array(piece).map((pieces) => pieces.join(''));

test('whatever comes, only text, colours and movement within the line are shown', () => {
  fc.assert(
    fc.property(output, (text) => {
      const shown = filter(text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
      expect(shown.replace(/\x1b\[[\d:;]*m/g, '')).not.toMatch(/[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
      expect(shown).not.toMatch(/(?<!\r)\n/);
    }),
    { numRuns: 2000 },
  );
});

test('where the output is cut into pieces makes no difference', () => {
  fc.assert(
    fc.property(output, fc.array(fc.nat({ max: 200 })), (text, cuts) => {
      const pieced = new TerminalFilter();
      // A decoder before the filter keeps each character whole.
      const characters = [...text];
      const ends = cuts.map((cut) => Math.min(cut, characters.length)).sort((a, b) => a - b);
      const places = [0, ...ends, characters.length];
      const shown = places
        .slice(1)
        .map((end, index) => pieced.push(characters.slice(places[index], end).join('')));
      expect(shown.join('')).toBe(filter(text));
    }),
    { numRuns: 2000 },
  );
});
