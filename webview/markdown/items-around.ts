// The items of a list that a line lies within. A long one is cut there, and its items begin anew in the next block.

const marker = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/;

/** Their marks, outermost first, each a line of its own; `lines` come before `line`. None where it lies in no item. */
export function itemsAround(lines: string, line: string): string[] {
  const items: string[] = [];
  let width = widthOf(/^[ \t]*/.exec(line)?.[0] ?? '');
  for (const before of lines.split('\n').reverse()) {
    const [item, indentation = ''] = marker.exec(before) ?? [];
    if (item === undefined || widthOf(item) >= width) continue;
    items.unshift(`${item}\n`);
    width = widthOf(indentation);
  }
  return items;
}

/** Whether `line`, in a list, begins an item at any depth. */
export function beginsAnyItem(line: string): boolean {
  return marker.test(line);
}

/** Columns. */
function widthOf(text: string): number {
  return text.replaceAll('\t', '    ').length;
}
