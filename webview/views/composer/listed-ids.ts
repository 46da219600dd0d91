import { type Accessor, createMemo } from 'solid-js';

/**
 * The ids of a list that the host sends anew each time. Drawn by its id, an item keeps its element and the
 * focus in it.
 */
export function createIds(items: Accessor<readonly { readonly id: string }[]>): Accessor<readonly string[]> {
  return createMemo<readonly string[]>(() => items().map(({ id }) => id), [], { equals: isSame });
}

function isSame(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((id, index) => id === second[index]);
}
