import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChunks } from '../../../../extension/core/tools/patch/apply-hunks.ts';
import { parsePatch } from '../../../../extension/core/tools/patch/parse-patch.ts';

/** The text of a file after an update of these lines. */
function updated(text: string, ...lines: readonly string[]): string {
  const patch = ['*** Begin Patch', '*** Update File: a', ...lines, '*** End Patch'].join('\n');
  const [file] = parsePatch(patch);
  if (file?.kind !== 'update') throw new Error('This is no update.');
  return applyChunks(text, file.chunks, 'a');
}

const rows: [what: string, text: string, lines: string[], expected: string][] = [
  ['a line', 'a\nb\nc\n', [' a', '-b', '+B'], 'a\nB\nc\n'],
  ['the first place that fits', 'x\na\nx\na\n', ['@@', '-a', '+b'], 'x\nb\nx\na\n'],
  ['the place behind a header', 'f\na\ng\na\n', ['@@ g', '-a', '+b'], 'f\na\ng\nb\n'],
  ['headers narrow down', 'A\nf\nx\nB\nf\nx\n', ['@@ B', '@@ f', '-x', '+y'], 'A\nf\nx\nB\nf\ny\n'],
  ['chunks in order', 'a\nb\na\nb\n', ['@@', '-a', '+1', '@@', '-a', '+2'], '1\nb\n2\nb\n'],
  ['the end of the file', 'a\nb\na\n', ['@@', '-a', '+z', '*** End of File'], 'a\nb\nz\n'],
  ['nothing old: at the end', 'a\n', ['@@', '+b', '+c'], 'a\nb\nc\n'],
  ['nothing old, then an earlier line', 'a\nb\n', ['@@', '+c', '@@', '-a', '+A'], 'A\nb\nc\n'],
  ['into an empty file', '', ['+a'], 'a\n'],
  ['everything goes', 'a\n', ['-a'], ''],
  ['an empty line of context', 'a\n\nb\n', [' a', '', '-b', '+c'], 'a\n\nc\n'],
  ['an empty line too many', 'a\n', ['-a', '+b', ' '], 'b\n'],
  ['without a final line end', 'a\nb', [' a', '-b', '+c'], 'a\nc\n'],
  ['more behind a last line without end', 'a', [' a', '+b'], 'a\nb\n'],
  ['CRLF', 'a\r\nb\r\n', ['-a', '+x', '+y', ' b'], 'x\r\ny\r\nb\r\n'],
  ['white space behind a line', 'a  \nb\n', [' a', '-b', '+c'], 'a  \nc\n'],
  ['white space before a line', '\ta\n\tb\n', [' a', '-b', '+\tc'], '\ta\n\tc\n'],
  ['quotes and dashes', 'say “a” – b\nx\n', [' say "a" - b', '-x', '+y'], 'say “a” – b\ny\n'],
  ['the exact one before the similar one', ' a\na\n', ['-a', '+b'], ' a\nb\n'],
  ['a marker as context', ' x\n*** End Patch\ny\n', [' *** End Patch', '-y', '+z'], ' x\n*** End Patch\nz\n'],
];

test.each(rows)('%s', (_what, text, lines, expected) => {
  expect(updated(text, ...lines)).toBe(expected);
});

test('What is not found is told, with its words', () => {
  expect(() => updated('a\n', '@@ class B', '-a')).toThrow("Failed to find context 'class B' in a");
  expect(() => updated('a\n', '-b', '-c', '+d')).toThrow('Failed to find expected lines in a:\nb\nc');
  expect(() => updated('a\nb\n', '-b', '@@', '-a')).toThrow('Failed to find expected lines');
  expect(() => updated('a\nb\n', '@@', '-a', '+c', '*** End of File')).toThrow(
    'Failed to find expected lines',
  );
});

/** Some lines stay, some go and some come between them; a line that stays is unlike all others. */
const change = fc
  .array(
    fc.record({
      text: fc.stringMatching(/^[ a-z#"]{0,6}$/),
      goes: fc.boolean(),
      before: fc.array(fc.stringMatching(/^[ -~]{0,6}$/), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((lines) => lines.map((line, index) => ({ ...line, text: `${index}:${line.text}` })));

type Line = { readonly text: string; readonly goes: boolean; readonly before: readonly string[] };

const isTouched = ({ goes, before }: Line) => goes || before.length > 0;

/** The chunks of a change, with so many lines of context as there are up to `context`. */
function chunksOf(lines: readonly Line[], context: number): string[] {
  const isNear = (at: number) => lines.slice(Math.max(0, at - context), at + context + 1).some(isTouched);
  return lines.flatMap((line, at) => {
    if (!isNear(at)) return [];
    const head = at === 0 || !isNear(at - 1) ? ['@@'] : [];
    return [...head, ...line.before.map((text) => `+${text}`), `${line.goes ? '-' : ' '}${line.text}`];
  });
}

function resultOf(lines: readonly Line[]): string[] {
  return lines.flatMap(({ text, goes, before }) => (goes ? before : [...before, text]));
}

const join = (lines: readonly string[], end: string) => lines.map((line) => line + end).join('');

test('Any change of lines is applied as it is written', () => {
  const given = fc.record({ lines: change, context: fc.nat(3), end: fc.constantFrom('\n', '\r\n') });
  fc.assert(
    fc.property(given, ({ lines, context, end }) => {
      fc.pre(lines.some(isTouched));
      const old = join(
        lines.map(({ text }) => text),
        end,
      );
      expect(updated(old, ...chunksOf(lines, context))).toBe(join(resultOf(lines), end));
    }),
    { numRuns: 500 },
  );
});

test('Lines that stay keep their bytes, however the patch has them', () => {
  fc.assert(
    fc.property(change, fc.constantFrom('  ', '\t', '\u00a0'), (lines, space) => {
      fc.pre(lines.some(isTouched));
      const odd = lines.map((line) => ({ ...line, text: `${space}${line.text}${space}` }));
      const old = join(
        odd.map(({ text }) => text),
        '\n',
      );
      expect(updated(old, ...chunksOf(lines, 1))).toBe(join(resultOf(odd), '\n'));
    }),
    { numRuns: 300 },
  );
});

/** The first place behind the last one, by looking at every place: what an applier at least has to do. */
function reference(lines: readonly string[], chunks: readonly { old: string[]; now: string[] }[]) {
  const result = [...lines];
  let from = 0;
  for (const { old, now } of chunks) {
    let at = from;
    while (at + old.length <= result.length && old.some((line, index) => result[at + index] !== line))
      at += 1;
    if (at + old.length > result.length) return undefined;
    result.splice(at, old.length, ...now);
    from = at + now.length;
  }
  return result;
}

test('Where lines are alike, chunks go where the simplest search would put them', () => {
  const line = fc.constantFrom('a', 'b', 'c');
  const chunk = fc.record({
    old: fc.array(line, { minLength: 1, maxLength: 3 }),
    now: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
  });
  const given = fc.record({
    lines: fc.array(line, { maxLength: 12 }),
    chunks: fc.array(chunk, { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(given, ({ lines, chunks }) => {
      const patch = chunks.flatMap(({ old, now }) => [
        '@@',
        ...old.map((text) => `-${text}`),
        ...now.map((text) => `+${text}`),
      ]);
      const expected = reference(lines, chunks);
      const apply = () => updated(join(lines, '\n'), ...patch);
      if (expected) expect(apply()).toBe(join(expected, '\n'));
      else expect(apply).toThrow('Failed to find expected lines');
    }),
    { numRuns: 1000 },
  );
});
