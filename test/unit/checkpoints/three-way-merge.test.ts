import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeFiles, mergeLines } from '../../../extension/core/checkpoints/three-way-merge.ts';

const bytes = (lines: readonly string[]) => Buffer.from(`${lines.join('\n')}\n`);
const merge = (base: readonly string[], mine: readonly string[], theirs: readonly string[]) =>
  mergeFiles(bytes(base), bytes(mine), bytes(theirs));

// Texts like this one take the usual algorithm hours.
test('files of very many equal lines are merged', () => {
  const equal = Array.from({ length: 50_000 }, (_, index) => (index % 2 ? '}' : ''));
  const merged = merge([...equal, 'agent'], ['mine', ...equal, 'agent'], [...equal, 'old']);
  expect(merged && Buffer.from(merged).equals(bytes(['mine', ...equal, 'old']))).toBe(true);
});

test('what differs in very many places is one change: another one beside it is merged, one among them is a conflict', () => {
  const old = Array.from({ length: 20_000 }, (_, index) => `${index % 7}`);
  const mine = old.map((line, index) => (index % 3 ? line : 'mine'));
  const beside = merge([...old, 'agent'], [...mine, 'agent'], [...old, 'old']);
  expect(beside && Buffer.from(beside).equals(bytes([...mine, 'old']))).toBe(true);
  const among = (lines: readonly string[], line: string) => [...lines, line, ...lines];
  expect(merge(among(old, 'agent'), among(mine, 'agent'), among(old, 'old'))).toBeUndefined();
});

const lines = fc.array(fc.constantFrom('a', 'b', '', '}'), { maxLength: 12 });

test('what one side alone has changed is taken, and what both have changed in the same way', () => {
  fc.assert(
    fc.property(lines, lines, (base, other) => {
      expect(mergeLines(base, other, base)).toEqual(other);
      expect(mergeLines(base, base, other)).toEqual(other);
      expect(mergeLines(base, other, other)).toEqual(other);
    }),
  );
});

test('changes with a line of both between them are joined, whatever is around them', () => {
  fc.assert(
    fc.property(lines, lines, lines, lines, (head, tail, own, other) => {
      const between = ['kept', 'kept too'];
      const base = [...head, ...between, ...tail];
      const merged = mergeLines(base, [...own, ...between, ...tail], [...head, ...between, ...other]);
      expect(merged).toEqual([...own, ...between, ...other]);
    }),
  );
});

test('changes of the same line, and of lines that touch, are a conflict', () => {
  expect(mergeLines(['a', 'b'], ['x', 'b'], ['y', 'b'])).toBeUndefined();
  expect(mergeLines(['a', 'b'], ['x', 'b'], ['a', 'y'])).toBeUndefined();
  expect(mergeLines(['a', 'b'], ['a', 'b', 'x'], ['a', 'b', 'y'])).toBeUndefined();
});

test('what one side has done in part, and the other whole, is done whole', () => {
  for (const part of [
    ['a', 'B'],
    ['A', 'b'],
    ['a', 'A', 'B'],
  ]) {
    expect(mergeLines(['A', 'B'], part, ['a', 'b'])).toEqual(['a', 'b']);
    expect(mergeLines(['A', 'B'], ['a', 'b'], part)).toEqual(['a', 'b']);
  }
  expect(mergeLines(['x', 'A', 'B'], ['x', 'B'], ['x'])).toEqual(['x']);
  expect(mergeLines(['A', 'B', 'C'], ['A', 'B'], ['a'])).toEqual(['a']);
});

test('what one side has taken away, doubled, or put elsewhere is no part of what the other has put in its place', () => {
  for (const other of [['B'], [], ['A', 'A', 'B'], ['B', 'A'], ['a', 'A', 'B', 'a']])
    expect(mergeLines(['A', 'B'], other, ['a', 'b'])).toBeUndefined();
});

test('a text of ASCII alone is in any encoding of single bytes: what the others have is kept as it is', () => {
  const latin = (...lines: string[]) => Buffer.from(`${lines.join('\n')}\n`, 'latin1');
  const plain = ['1', '2', '3', '4', '5'] as const;
  const [agent, mine] = [
    ['é', ...plain],
    [...plain, 'ü'],
  ];
  const both = ['é', ...plain, 'ü'];
  const merged = (base: readonly string[], own: readonly string[], other: readonly string[]) =>
    mergeFiles(latin(...base), latin(...own), latin(...other));
  expect(merged(agent, both, plain)).toEqual(new Uint8Array(latin(...mine)));
  expect(merged(agent, plain, both)).toEqual(new Uint8Array(latin(...mine)));
  expect(merged(plain, mine, agent)).toEqual(new Uint8Array(latin(...both)));
});
