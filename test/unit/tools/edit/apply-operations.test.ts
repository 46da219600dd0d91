import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from '../../../../extension/core/base/text/lines.ts';
import { applyOperations } from '../../../../extension/core/tools/edit/apply-operations.ts';
import { type EditOperation, parseOperations } from '../../../../extension/core/tools/edit/edit-operation.ts';

const replace = (startLine: number, endLine: number, ...content: string[]): EditOperation => ({
  op: 'replace',
  startLine,
  endLine,
  content,
});
const insert = (afterLine: number, ...content: string[]): EditOperation => ({
  op: 'insert',
  afterLine,
  content,
});
const remove = (startLine: number, endLine: number): EditOperation => ({ op: 'delete', startLine, endLine });

function apply(text: string, ...operations: EditOperation[]): string {
  return applyOperations(text, operations).text;
}

const ABC = 'a\nb\nc\n';

describe('applies', () => {
  it.each<[name: string, before: string, operations: EditOperation[], after: string]>([
    ['a replaced line', ABC, [replace(2, 2, 'x')], 'a\nx\nc\n'],
    ['a replaced range', ABC, [replace(1, 2, 'x', 'y', 'z')], 'x\ny\nz\nc\n'],
    ['a range replaced by nothing', ABC, [replace(1, 2)], 'c\n'],
    ['an insert at the top', ABC, [insert(0, 'x')], 'x\na\nb\nc\n'],
    ['an insert in the middle', ABC, [insert(2, 'x', 'y')], 'a\nb\nx\ny\nc\n'],
    ['an insert at the end', ABC, [insert(3, 'x')], 'a\nb\nc\nx\n'],
    ['an insert of nothing', ABC, [insert(1)], ABC],
    ['a deleted line', ABC, [remove(2, 2)], 'a\nc\n'],
    ['a deleted file', ABC, [remove(1, 3)], ''],
    ['several, in any order', ABC, [remove(3, 3), insert(0, 't'), replace(1, 1, 'x')], 't\nx\nb\n'],
    ['inserts after one line in their order', ABC, [insert(1, 'x'), insert(1, 'y')], 'a\nx\ny\nb\nc\n'],
    [
      'inserts at the borders of a range',
      ABC,
      [insert(2, 'after'), replace(2, 2, 'x'), insert(1, 'before')],
      'a\nbefore\nx\nafter\nc\n',
    ],
    [
      'an insert between two ranges',
      ABC,
      [replace(2, 3, 'y'), replace(1, 1, 'x'), insert(1, 'i')],
      'x\ni\ny\n',
    ],
    ['the first lines of an empty file', '', [insert(0, 'a', 'b')], 'a\nb\n'],
    ['line ends inside an item', ABC, [replace(2, 2, 'x\ny\r\nz')], 'a\nx\ny\nz\nc\n'],
    [
      'one line end at the end of an item',
      ABC,
      [replace(2, 2, 'x\n', 'y\r\n', 'z\n\n')],
      'a\nx\ny\nz\n\nc\n',
    ],
    ['empty items', ABC, [replace(2, 2, '', '\n')], 'a\n\n\nc\n'],
    ['replacement patterns as they are', ABC, [replace(2, 2, "$& $1 $$ $' \\n")], "a\n$& $1 $$ $' \\n\nc\n"],
    ['CRLF for new lines', 'a\r\nb\r\n', [insert(1, 'x')], 'a\r\nx\r\nb\r\n'],
    ['the usual of mixed line ends', 'a\r\nb\nc\r\n', [replace(2, 2, 'x')], 'a\r\nx\r\nc\r\n'],
    ['no final newline, line replaced', 'a\nb', [replace(2, 2, 'x', 'y')], 'a\nx\ny'],
    ['no final newline, line appended', 'a\r\nb', [insert(2, 'x')], 'a\r\nb\r\nx'],
    ['no final newline, line before changed', 'a\nb', [replace(1, 1, 'x')], 'x\nb'],
    ['no final newline, last line deleted', 'a\nb', [remove(2, 2)], 'a\n'],
    ['no final newline, last line deleted and another put', 'a\nb', [remove(2, 2), insert(1, 'x')], 'a\nx'],
    ['no final newline, all deleted', 'a', [remove(1, 1)], ''],
    ['no final newline, a carriage return before the end', 'a\nb\r', [replace(1, 1, 'x')], 'x\nb\r'],
    ['no final newline, nothing appended', 'a\nb', [insert(2)], 'a\nb'],
    ['no final newline, an empty line appended', 'a', [insert(1, '')], 'a\n'],
    ['a final newline, last line deleted', 'a\nb\n', [remove(2, 2)], 'a\n'],
  ])('%s', (_, before, operations, after) => {
    expect(apply(before, ...operations)).toBe(after);
  });
});

describe('counts', () => {
  it.each<[operations: EditOperation[], changed: number, lines: number]>([
    [[replace(1, 2, 'x')], 2, 2],
    [[replace(1, 1, 'x', 'y', 'z')], 3, 5],
    [[insert(1, 'x', 'y')], 2, 5],
    [[remove(2, 3)], 2, 1],
    [[replace(1, 1, 'x'), remove(3, 3), insert(2, 'x')], 3, 3],
  ])('%j', (operations, changed, lines) => {
    const edited = applyOperations(ABC, operations);
    expect(edited.linesChanged).toBe(changed);
    expect(edited.newLineCount).toBe(lines);
  });
});

describe('refuses', () => {
  it.each<[operations: EditOperation[], message: string]>([
    [[replace(0, 1, 'x')], 'invalid line number: 0 (must be >= 1)'],
    [[remove(-2, 1)], 'invalid line number: -2 (must be >= 1)'],
    [[insert(-1, 'x')], 'invalid line number: -1 (must be >= 1)'],
    [[replace(3, 2, 'x')], 'invalid range: startLine 3 > endLine 2'],
    [[replace(4, 4, 'x')], 'line 4 out of range (file has 3 lines)'],
    [[remove(2, 9)], 'line 9 out of range (file has 3 lines)'],
    [[insert(4, 'x')], 'line 4 out of range (file has 3 lines)'],
    [[replace(1, 2, 'x'), remove(2, 3)], 'operations overlap at line 2'],
    [[remove(2, 2), remove(2, 2)], 'operations overlap at line 2'],
    [[remove(1, 3), replace(2, 2, 'x')], 'operations overlap at line 2'],
    [[insert(1, 'x'), replace(1, 2, 'y')], 'operations overlap at line 1'],
    [[remove(1, 3), insert(2, 'x')], 'operations overlap at line 2'],
    // The order of the checks, over all operations
    [[replace(9, 8, 'x'), replace(0, 1, 'x')], 'invalid line number: 0'],
    [[remove(9, 9), remove(3, 2)], 'invalid range: startLine 3 > endLine 2'],
    [[remove(1, 1), remove(1, 1), remove(9, 9)], 'line 9 out of range'],
  ])('%j', (operations, message) => {
    expect(() => apply(ABC, ...operations)).toThrow(message);
  });

  it.each([
    [[], 'no operations provided'],
    [[{ op: 'append', content: [] }], 'unknown operation: append'],
    [[replace(1, 1), { op: 7 }], 'unknown operation: 7'],
    [[{ op: 'insert', content: ['x'] }], 'operations.0.afterLine: Invalid input: expected number'],
    [
      [insert(0), { op: 'delete', startLine: 1, endLine: 1.5 }],
      'operations.1.endLine: Invalid input: expected int',
    ],
    [[{ op: 'delete', startLine: 1, endLine: 1, lines: 3 }], 'Unrecognized key: "lines"'],
    [[{ op: 'replace', startLine: 1, endLine: 1, content: 'x' }], 'content: Invalid input: expected array'],
    [[{}], 'operations.0.op'],
    [['x'], 'operations.0: Invalid input: expected object'],
  ])('%j', (values, message) => {
    expect(() => parseOperations(values)).toThrow(message);
  });
});

/** Twenty plain lines: operations one after the other, from the bottom up, on an array of texts. */
function model(text: string, operations: readonly EditOperation[]): string {
  const eol = (text.match(/\r\n/g)?.length ?? 0) > (text.match(/(?<!\r)\n/g)?.length ?? 0) ? '\r\n' : '\n';
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const original = lines.at(-1);
  const bare = original !== undefined && !original.endsWith('\n');
  if (bare) lines[lines.length - 1] += eol;
  const slots = lines.map((line) => ({ line: [line], after: [] as string[] }));
  slots.unshift({ line: [], after: [] });
  for (const operation of operations) {
    const fresh = operation.op === 'delete' ? [] : operation.content.map((item) => item + eol);
    if (operation.op === 'insert') slots[operation.afterLine]?.after.push(...fresh);
    else
      for (const [line, slot] of slots.entries())
        if (line >= operation.startLine && line <= operation.endLine)
          slot.line = line === operation.startLine ? fresh : [];
  }
  const kept = new Set(lines.slice(0, -1));
  const result = slots.flatMap((slot) => [...slot.line, ...slot.after]);
  const last = result.at(-1);
  return bare && last !== undefined && !kept.has(last)
    ? result.join('').slice(0, -eol.length)
    : result.join('');
}

const lineEnd = fc.constantFrom('\n', '\r\n');
/** No two lines are equal, so that the model can tell old from new. */
const file = fc
  .tuple(fc.array(lineEnd, { maxLength: 12 }), fc.boolean())
  .map(([ends, bare]) => ends.map((end, i) => `é${i}${bare && i === ends.length - 1 ? '' : end}`).join(''));

function operationsOn(lineCount: number): fc.Arbitrary<EditOperation[]> {
  const content = fc.array(
    fc.nat(999).map((n) => `new ${n}`),
    { maxLength: 3 },
  );
  const range = fc
    .tuple(fc.integer({ min: 1, max: Math.max(lineCount, 1) }), fc.integer({ min: 0, max: 3 }))
    .map(([start, more]) => ({ startLine: start, endLine: Math.min(start + more, Math.max(lineCount, 1)) }));
  const operation: fc.Arbitrary<EditOperation> = fc.oneof(
    fc.record({
      op: fc.constant('insert' as const),
      afterLine: fc.integer({ min: 0, max: lineCount }),
      content,
    }),
    fc.tuple(range, content).map(([lines, items]) => ({ op: 'replace' as const, ...lines, content: items })),
    range.map((lines) => ({ op: 'delete' as const, ...lines })),
  );
  return fc.array(operation, { minLength: 1, maxLength: 5 });
}

const edits = file.chain((text) => fc.tuple(fc.constant(text), operationsOn(splitLines(text).length)));

function clash(operations: readonly EditOperation[]): boolean {
  const ranges = operations.flatMap((o) => (o.op === 'insert' ? [] : [[o.startLine, o.endLine] as const]));
  const inserts = operations.flatMap((o) => (o.op === 'insert' ? [o.afterLine] : []));
  return ranges.some(
    ([start, end], i) =>
      inserts.some((after) => start <= after && after < end) ||
      ranges.some(([otherStart, otherEnd], j) => i !== j && start <= otherEnd && otherStart <= end),
  );
}

it('does what a naive model does, and refuses exactly what clashes', () => {
  let applied = 0;
  fc.assert(
    fc.property(edits, ([text, operations]) => {
      const named = operations.flatMap((o) => (o.op === 'insert' ? [o.afterLine] : [o.endLine]));
      if (clash(operations) || named.some((line) => line > splitLines(text).length)) {
        expect(() => apply(text, ...operations)).toThrow();
        return;
      }
      applied += 1;
      const edited = applyOperations(text, operations);
      expect(edited.text).toBe(model(text, operations));
      expect(edited.newLineCount).toBe(splitLines(edited.text).length);
    }),
    { numRuns: 5000 },
  );
  expect(applied).toBeGreaterThan(1000);
});

it('edits a file of 5 MB in many places without quadratic work', () => {
  const text = 'some line of an ordinary length\n'.repeat(160_000);
  const operations = Array.from({ length: 40_000 }, (_, i) => replace(i * 4 + 1, i * 4 + 2, 'x'));
  const edited = applyOperations(text, operations);
  expect(edited.newLineCount).toBe(120_000);
  expect(edited.linesChanged).toBe(80_000);
});
