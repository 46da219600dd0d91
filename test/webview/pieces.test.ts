// A text that is cut says the same as the whole: its pieces, joined as they are shown, against one rendering by
// markdown-it.
import fc from 'fast-check';
import MarkdownIt, { type Token } from 'markdown-it';
import { expect, test } from 'vitest';
import { fitPiece } from '../../webview/markdown/piece-rules.ts';
import { type Block, splitWhole } from '../../webview/markdown/split-text.ts';

const markdown = new MarkdownIt({ html: false });

/** Each text with the numbers of the items, and the quotes, that it lies within; code and cells as such. */
function said(tokens: readonly Token[], around: string[] = []): string[] {
  const path: string[] = [...around];
  const numbers: number[] = [];
  const lines: string[] = [];
  let kind = 'text';
  for (const token of tokens) {
    const { type, content } = token;
    if (type === 'ordered_list_open') numbers.push(Number(token.attrGet('start') ?? 1));
    if (type === 'bullet_list_open') numbers.push(Number.NaN);
    if (type.endsWith('_list_close')) numbers.pop();
    if (type === 'list_item_open') {
      const number = numbers.pop() ?? Number.NaN;
      path.push(Number.isNaN(number) ? '-' : `${number}.`);
      numbers.push(number + 1);
    }
    if (type === 'blockquote_open') path.push('>');
    if (type === 'list_item_close' || type === 'blockquote_close') path.pop();
    if (type === 'th_open' || type === 'td_open') kind = 'cell';
    if (type === 'paragraph_open') kind = 'text';
    if (type === 'heading_open') kind = 'heading';
    if (type === 'fence' || type === 'code_block') lines.push(`${path.join(' ')} code ${content}`);
    if (type === 'inline') lines.push(`${path.join(' ')} ${kind} ${content.replace(/\s+/g, ' ').trim()}`);
  }
  return lines;
}

function saidByPiece(block: Block): string[] {
  const isFence = block.kind === 'fence';
  const tokens = markdown.parse(isFence ? block.frame.around : block.source, {});
  fitPiece(tokens, block);
  if (!isFence) return said(block.table?.isRest ? withoutHead(tokens) : tokens);
  return [`${pathOf(tokens)} code ${block.source}`];
}

function withoutHead(tokens: readonly Token[]): Token[] {
  const from = tokens.findIndex(({ type }) => type === 'thead_open');
  const to = tokens.findIndex(({ type }) => type === 'thead_close');
  return tokens.filter((_token, index) => index < from || index > to);
}

function pathOf(tokens: readonly Token[]): string {
  const end = tokens.findIndex(({ nesting }) => nesting === -1);
  const inner = { type: 'inline', content: '' } as Token; // Only these two are read.
  return (said([...tokens.slice(0, end), inner])[0] ?? '').replace(/ text $/, '');
}

/** What a paragraph says may be cut anywhere. */
function joined(lines: readonly string[]): string[] {
  const all: string[] = [];
  for (const line of lines) {
    const [, lead = '', words = ''] = /^([^a-z]*text )(.*)$/s.exec(line) ?? [];
    if (lead !== '' && all.at(-1)?.startsWith(lead)) all.push(`${all.pop()} ${words}`);
    else all.push(line);
  }
  return all;
}

const words = fc
  .tuple(fc.constantFrom('alpha', 'beta `code`', 'two words'), fc.constantFrom(1, 1, 1, 40))
  .map(([word, count]) => [Array.from({ length: count }, () => word).join(' ')]);
const heading = fc.constantFrom('## Head').map((line) => [line]);
const size = fc.constantFrom(1, 3, 60, 150);
const fence = fc
  .tuple(
    size,
    fc.constantFrom('```', '~~~~'),
    fc.constantFrom('x = 1', '- item', '\tdeep', '> quote', '2. two'),
  )
  .map(([lines, marker, line]) => [
    `${marker}ts`,
    ...Array.from({ length: lines }, (_, index) => (index % 7 === 6 ? '' : `${line} ${index}`)),
    marker,
  ]);
const table = fc
  .tuple(size, fc.constantFrom(1, 1, 4))
  .map(([rows, width]) => [
    '| a | b |',
    '|---|---|',
    ...Array.from({ length: rows }, (_, row) => `| ${'cell '.repeat(width)}| ${row} |`),
  ]);
const leaf = fc.oneof(words, words, heading, fence, table);
const { block } = fc.letrec<{ block: string[] }>((tie) => ({
  block: fc.oneof({ maxDepth: 2 }, leaf, quoteOf(tie('block')), listOf(tie('block'))),
}));

function quoteOf(inner: fc.Arbitrary<string[]>): fc.Arbitrary<string[]> {
  return fc
    .array(inner, { minLength: 1, maxLength: 2 })
    .map((blocks) => spaced(blocks).map((line) => (line === '' ? '>' : `> ${line}`)));
}

function listOf(inner: fc.Arbitrary<string[]>): fc.Arbitrary<string[]> {
  const items = fc.array(fc.array(inner, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(items, fc.constantFrom('- ', '1. ', '10. ', '-   ', 'count'), fc.constantFrom(1, 1, 1, 8))
    .map(([blocks, mark, times]) =>
      Array.from({ length: times }, () => blocks)
        .flat()

        .flatMap((item, index) => itemOf(item, mark === 'count' ? `${index + 1}. ` : mark)),
    );
}

/** Each item begins with words. */
function itemOf(blocks: string[][], mark: string): string[] {
  const lines = ['Item', '', ...spaced(blocks)];
  return lines.map((line, index) => (index === 0 ? mark + line : line && ' '.repeat(mark.length) + line));
}

function spaced(blocks: string[][]): string[] {
  return blocks.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

const content = fc
  .array(block, { minLength: 1, maxLength: 5 })
  .map((blocks) => blocks.map((lines) => `${lines.join('\n')}\n`).join('\n'));

test('whatever is nested in whatever, the pieces say what the whole says', () => {
  let cut = 0;
  fc.assert(
    fc.property(content, (whole) => {
      fc.pre(whole.length < 30_000);
      const { blocks } = splitWhole(whole);
      if (blocks.some(({ continues }) => continues)) cut += 1;
      const pieces = joined(blocks.flatMap(saidByPiece));
      expect(pieces).toEqual(joined(said(markdown.parse(whole, {}))));
    }),
    { numRuns: 60, seed: 7, endOnFailure: true },
  );
  expect(cut).toBeGreaterThan(10);
});
