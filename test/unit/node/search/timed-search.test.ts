import { expect, test } from 'vitest';
import { createTimedSearch } from '../../../../extension/node/search/timed-search.ts';

/** A busy machine may take its time even for what is easy. */
function eventually(search: (text: string) => unknown, text: string): unknown {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const found = search(text);
    if (found) return found;
  }
  return undefined;
}

test('finds what the expression finds, but nothing that is empty', () => {
  expect(eventually(createTimedSearch(/b+|$/gimu), 'abBc\nb')).toEqual([
    [1, 2],
    [5, 1],
  ]);
});

test('gives up what would take for ever, and goes on with the next text', () => {
  const search = createTimedSearch(/(a+)+$/gmu);
  expect(search(`${'a'.repeat(60)}!`)).toBeUndefined();
  expect(eventually(search, 'aaa')).toEqual([[0, 3]]);
});
