import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  appendText,
  type Block,
  emptyText,
  finish,
  OPEN_LIMIT,
  splitWhole,
  visibleLine,
} from '../../webview/markdown/split-text.ts';

const shown = ({ kind, source }: Block) => (kind === 'fence' ? `[${source}]` : source);
const split = (content: string) => splitWhole(content).blocks.map(shown);

test.each([
  ['paragraphs', 'one\n\ntwo\n', ['one\n\n', 'two\n']],
  ['lazy lines of one paragraph', 'one\ntwo\n', ['one\ntwo\n']],
  ['a fence without blank lines around it', 'see\n```ts\na\n\nb\n```\nthen', ['see\n', '[a\n\nb\n]', 'then']],
  ['a fence of tildes, with backticks in it', '~~~\n```\n~~~\n', ['[```\n]']],
  ['a longer fence around a shorter', '````md\n```\na\n```\n````\n', ['[```\na\n```\n]']],
  ['a fence that never ends', '```\na\n', ['[a\n]']],
  ['an indented fence', '  ```\n  a\n    b\n  ```\n', ['[a\n  b\n]']],
  ['inline code that begins a line', '```a``` b\n', ['```a``` b\n']],
  ['a list with blank lines', '- a\n\n- b\n\n  more\n\nend', ['- a\n\n- b\n\n  more\n\n', 'end']],
  [
    'a fence in a list',
    '1. a\n   ```js\n   x\n\n   y\n   ```\n2. b\n',
    ['1. a\n   ```js\n   x\n\n   y\n   ```\n2. b\n'],
  ],
  [
    'a fence on the line of an item',
    '- ```\n  a\n\n  b\n  ```\n\nend',
    ['- ```\n  a\n\n  b\n  ```\n\n', 'end'],
  ],
  ['indented code', 'a\n\n    code\n\nb', ['a\n\n    code\n\n', 'b']],
  ['only blank lines', '\n \n', []],
])('%s', (_name, content, blocks) => {
  expect(split(content)).toEqual(blocks);
});

test.each([
  ['items', '- a\n', '  - b\n', '-\n', 1],
  ['items of items', '1. a\n   - b\n', '     - c\n', '1.\n   -\n', 2],
  ['paragraphs', '- a\n', '\n  b\n', '-\n', 1],
])(
  'an item with many %s is cut within, and the next block lies in the same item',
  (_name, begin, line, marks, carried) => {
    const content = begin + line.repeat(2_000);
    const { blocks } = splitWhole(content);
    expect(blocks.length).toBeGreaterThan(1);
    expect(Math.max(...blocks.map(({ source }) => source.length))).toBeLessThan(2 * OPEN_LIMIT);
    for (const { source, frame } of blocks.slice(1)) {
      expect(source.startsWith(marks)).toBe(true);
      expect(frame.carried).toBe(carried);
    }
    const parts = blocks.map(({ source }, index) => (index === 0 ? source : source.slice(marks.length)));
    expect(parts.join('')).toBe(content);
  },
);

test('all blocks but the last are closed while the text grows', () => {
  const text = emptyText();
  appendText(text, 'one\n\n');
  expect(text.blocks.map(({ closed }) => closed)).toEqual([false]);
  appendText(text, 'two\n\nthree\n');
  expect(text.blocks.map(({ closed }) => closed)).toEqual([true, true, false]);
  finish(text);
  expect(text.blocks.every(({ closed }) => closed)).toBe(true);
});

test.each([
  ['a paragraph', 'one\n\n', 't'],
  ['a paragraph before a list', 'one\n\n', '-'],
  ['a list', '- one\n\n', 't'],
  ['a table', '|a|\n|-|\n|b|\n\n', '*'],
])('%s is closed as soon as what is behind the blank line begins', (_name, content, next) => {
  const text = emptyText();
  appendText(text, content);
  expect(text.blocks.map(({ closed }) => closed)).toEqual([false]);
  appendText(text, next);
  expect(text.blocks.map(({ closed }) => closed)).toEqual([true]);
});

test.each([
  ['an item', '- one\n\n', '-'],
  ['a paragraph of an item', '- one\n\n', '  t'],
  ['code of spaces', '- one\n\n', ' '],
])('%s may go on with what is above the blank line', (_name, content, next) => {
  const text = emptyText();
  appendText(text, content + next);
  expect(text.blocks.map(({ closed }) => closed)).toEqual([false]);
});

test('what may become a closing fence is not shown as code', () => {
  const text = emptyText();
  appendText(text, '```\ncode\n``');
  expect(visibleLine(text)).toBe('');
  appendText(text, 'x');
  expect(visibleLine(text)).toBe('``x');
});

const blockSources = ({ blocks }: { blocks: Block[] }) =>
  blocks.map(({ kind, info, source }) => ({ kind, info, source }));

const line = fc.oneof(
  fc.constantFrom(
    '',
    '',
    '- item',
    '1. one',
    '   ```',
    '> ```',
    '  - inner',
    '> - quoted',
    '| a |',
    '  more',
    '```',
    '```ts',
    '~~~',
    '    code',
    '> quote',
    '| a | b |',
    '|---|---|',
    '# head',
  ),
  fc.string({ maxLength: 12 }),
  fc
    .integer({ min: OPEN_LIMIT - 2, max: OPEN_LIMIT + 2 })
    .map((length) => 'word '.repeat(length).slice(0, length)),
);
const content = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));

test('where it is cut does not depend on how the text arrived', () => {
  fc.assert(
    fc.property(content, fc.array(fc.integer({ min: 1, max: 40 })), (whole, sizes) => {
      const text = emptyText();
      let at = 0;
      for (const size of sizes) {
        appendText(text, whole.slice(at, at + size));
        at += size;
      }
      appendText(text, whole.slice(at));
      finish(text);
      expect(blockSources(text)).toEqual(blockSources(splitWhole(whole)));
    }),
    { numRuns: 500 },
  );
});

test('every word is in some block', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('alpha', 'beta\n', '\n', '- c ', '> d '), { maxLength: 60 }),
      (pieces) => {
        const whole = pieces.join(' ');
        expect(split(whole).join('').replace(/\s/g, '')).toBe(whole.replace(/\s/g, ''));
      },
    ),
  );
});

test('an open block stays small, whatever is written', () => {
  const endless = {
    paragraph: 'word '.repeat(20_000),
    lines: 'a line of words\n'.repeat(5_000),
    list: '- an item of a list\n'.repeat(5_000),
    'numbered list': Array.from({ length: 5_000 }, (_, index) => `${index + 1}. an item\n`).join(''),
    table: `| a | b |\n|---|---|\n${'| one | two |\n'.repeat(5_000)}`,
    quote: '> quoted words\n'.repeat(5_000),
    'one word': 'x'.repeat(50_000),
  };
  for (const [name, text] of Object.entries(endless)) {
    const longest = Math.max(...splitWhole(text).blocks.map(({ source }) => source.length));
    expect(longest, name).toBeLessThan(OPEN_LIMIT * 2);
  }
});

const code = Array.from({ length: 160 }, (_, index) => `const value${index} = compute(${index});\n`);
const fenced = (lead: string) => ['```ts\n', ...code, '```\n'].map((line) => lead + line).join('');

test.each([
  [
    'an item',
    `1. Write:\n\n${fenced('   ')}\n   Then run it.\n2. Test it\n`,
    '1.\n',
    '1.\n\n   Then run it.\n2. Test it\n',
  ],
  [
    'a wide item',
    `10. Write:\n${fenced('    ')}\n    Then.\n11. Test\n`,
    '10.\n',
    '10.\n\n    Then.\n11. Test\n',
  ],
  ['an item of an item', `- a\n  - b\n${fenced('    ')}  - c\n- d\n`, '-\n  -\n', '-\n  - c\n- d\n'],
  ['a quote', `> See:\n${fenced('> ')}> Then.\n`, '> \n', '> Then.\n'],
])(
  'a long fence in %s is one block that lies within it, and so does what follows',
  (_name, content, around, rest) => {
    const { blocks } = splitWhole(content);
    expect(blocks.map(({ kind, info }) => [kind, info])).toEqual([
      ['markdown', ''],
      ['fence', 'ts'],
      ['markdown', ''],
    ]);
    expect(blocks[1]?.source).toBe(code.join(''));
    expect(blocks[1]?.frame.around).toBe(around);
    expect(content.slice(blocks[1]?.start).trimStart()).toMatch(/^(?:> )?```ts/);
    expect(blocks[2]?.source.replace('\n\n', '\n')).toBe(rest.replace('\n\n', '\n'));
  },
);

test('a block knows where it begins in the text', () => {
  fc.assert(
    fc.property(content, (whole) => {
      const { blocks } = splitWhole(whole);
      const starts = blocks.map(({ start }) => start);
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
      for (const { kind, start, source, frame } of blocks) {
        const own = kind === 'fence' ? source : source.slice(frame.marks.length);
        const first =
          own
            .replace(/^[\s>]+/, '')
            .slice(0, 20)
            .split('\n')[0] ?? '';
        const found = whole.slice(start);
        const begins = found.slice(0, 80).includes(first);
        if (kind === 'fence') expect(begins || /^[\s>]*(?:```|~~~)/.test(found)).toBe(true);
        else if (!source.includes('|')) expect(begins).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('a line that is cut is cut between characters', () => {
  const family = '👩‍👩‍👧‍👦';
  const { blocks } = splitWhole(family.repeat(1_000));
  expect(blocks.length).toBeGreaterThan(1);
  for (const { source } of blocks) expect(source.trim().replaceAll(family, '')).toBe('');
});

test('each piece of a long table has the head', () => {
  const head = '| a | b |\n|---|---|\n';
  const { blocks } = splitWhole(`${head}${'| one | two |\n'.repeat(1_000)}`);
  expect(blocks.length).toBeGreaterThan(2);
  expect(blocks.every(({ source }) => source.startsWith(head))).toBe(true);
});

test('a row of a table is never cut, however long', () => {
  const row = `| ${'wide cell '.repeat(300)}| ${'more '.repeat(600)}|\n`;
  const head = '| a | b |\n|---|---|\n';
  for (const { source } of splitWhole(head + row.repeat(5)).blocks) {
    expect(source).toBe(head + row);
  }
});

test('what follows a long table is none of its rows', () => {
  const table = `| a | b |\n|---|---|\n${'| one | two |\n'.repeat(200)}`;
  for (const next of ['\nWords.\n', '## Head\n', '- item\n', '> quote\n']) {
    const { blocks } = splitWhole(table + next);
    expect(blocks.at(-1)?.source.trim().split('\n').at(-1)).toBe(next.trim());
    expect(
      blocks
        .map(({ source }) => source)
        .join('')
        .split('|---|---|').length - 1,
      next,
    ).toBe(blocks.filter(({ source }) => source.includes('one')).length);
  }
});

test('a list that is written with ones is counted on', () => {
  const { blocks } = splitWhole('1. an item\n'.repeat(1_000));
  expect(blocks.length).toBeGreaterThan(2);
  let items = 0;
  for (const { source, frame } of blocks) {
    expect(frame.numbers).toEqual([items + 1]);
    items += source.split('\n').length - 1;
  }
});
