import { expect, test } from 'vitest';
import { Renumbering } from '../../../extension/core/log/renumbering.ts';

/** What is kept of events 1 to 9. */
function kept(...olds: readonly number[]): (through: number) => unknown {
  const numbers = new Renumbering();
  for (const [index, old] of olds.entries()) numbers.note(old, index + 1);
  return (through) => {
    const draft = numbers.apply({ type: 'compaction', summary: 'S', through });
    return draft.type === 'compaction' && draft.through;
  };
}

test('where nothing is missing, numbers stay', () => {
  const of = kept(1, 2, 3, 4);
  expect([1, 2, 3, 4].map(of)).toEqual([1, 2, 3, 4]);
});

test('behind what is missing they are less, and what is missing goes by the one before it', () => {
  const of = kept(1, 2, 5, 6, 9);
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map(of)).toEqual([1, 2, 2, 2, 3, 4, 4, 4, 5]);
  expect(kept(3, 4)(1), 'the first one is missing').toBe(1);
});

test('restores name events too, by whatever event', () => {
  const numbers = new Renumbering();
  numbers.note(1, 1);
  numbers.note(4, 2);
  expect(numbers.apply({ type: 'restored', id: 'r', to: 4, files: [] })).toMatchObject({ to: 2 });
  expect(numbers.apply({ type: 'checkpoint', id: 'r', files: [], restores: { to: 4 } })).toMatchObject({
    restores: { to: 2 },
  });
  const notice = { type: 'notice', message: 'It is 4' } as const;
  expect(numbers.apply(notice)).toBe(notice);
});
