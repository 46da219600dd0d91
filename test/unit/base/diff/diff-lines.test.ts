import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareLines } from '../../../../extension/core/base/diff/diff-lines.ts';
import { TextContent } from '../../../../extension/core/review/text-content.ts';

const side = (parts: ReturnType<typeof compareLines>, without: '-' | '+') =>
  parts.filter(({ sign }) => sign !== without).flatMap(({ lines }) => lines);

const line = fc.constantFrom('a', 'b', 'c', '', 'd\r', 'é');
const lines = fc.array(line, { maxLength: 12 });

it('tells how one text has come from another', () => {
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const parts = compareLines(old, now);
      expect(side(parts, '+')).toEqual(old);
      expect(side(parts, '-')).toEqual(now);
    }),
  );
});

it('tells the lines apart where a text was changed in very many places', () => {
  const old = Array.from({ length: 20_000 }, (_, row) => (row % 7 === 0 ? '}' : `line ${row}`));
  const now = old.map((text, row) => (row % 20 === 3 ? `${text} changed` : text));
  const parts = compareLines(old, now);
  expect(side(parts, '+')).toEqual(old);
  expect(side(parts, '-')).toEqual(now);
  const count = (sign: string) =>
    parts.filter((part) => part.sign === sign).reduce((sum, part) => sum + part.lines.length, 0);
  expect([count('-'), count('+')]).toEqual([1_000, 1_000]);
});

it('leaves out of a change what is the same at both ends, in texts of every kind', () => {
  const text = fc.tuple(lines, fc.constantFrom('', '\n')).map(([all, end]) => all.join('\n') + end);
  fc.assert(
    fc.property(text, text, text, (head, middle, other) => {
      const [old, now] = [head + middle + other, head + other].map(
        (whole) => new TextContent({ text: whole, encoding: 'utf-8' }),
      );
      if (!old || !now) return;
      const cut = old.lines.map((each) => ({ text: each }));
      const { start, end, lines: come } = now.changeOf({ lines: cut, content: old });
      expect([...old.lines.slice(0, start), ...come, ...old.lines.slice(end)]).toEqual(now.lines);
      expect(now.changeOf({ lines: cut })).toEqual({ start: 0, end: cut.length, lines: now.lines });
    }),
    { numRuns: 1_000 },
  );
});

it('cuts of a long text the lines alone that have changed', () => {
  const all = Array.from({ length: 1_000 }, (_, row) => `line ${row}`);
  const content = (texts: readonly string[]) =>
    new TextContent({ text: texts.map((text) => `${text}\n`).join(''), encoding: 'utf-8' });
  const change = content(all.with(500, 'changed')).changeOf({
    lines: all.map((text) => ({ text })),
    content: content(all),
  });
  expect(change).toEqual({ start: 500, end: 501, lines: ['changed'] });
});
