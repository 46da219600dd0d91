/**
 * Joins as many of `items` as fit into `limit` bytes (UTF-8), with the number of those left out. The first item
 * that does not fit ends the list.
 */
export function fitItems(
  items: readonly string[],
  limit: number,
  separator: string,
  more = (count: number) => `and ${count} more`,
): string {
  const shown: string[] = [];
  const longest = byteLength(separator + more(items.length));
  let room = limit;
  for (const [index, item] of items.entries()) {
    room -= byteLength(item) + (index > 0 ? byteLength(separator) : 0);
    const isLast = index === items.length - 1;
    if (room < (isLast ? 0 : longest)) break;
    shown.push(item);
  }
  const left = items.length - shown.length;
  return [...shown, ...(left > 0 ? [more(left)] : [])].join(separator);
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
