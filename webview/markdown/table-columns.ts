// Computes the column widths of a table that is drawn in pieces: all pieces get the same.

/** Characters. A longer cell wraps. */
const WIDEST = 40;
const NARROWEST = 3;

/** Percents, from the longest cell of each column. `lines` contains head, delimiter and rows. */
export function columnShares(lines: string): number[] {
  const [head = [], ...rows] = lines.trim().split('\n').map(cellsOf);
  const widths = head.map((_cell, column) => {
    const longest = Math.max(...[head, ...rows.slice(1)].map((cells) => cells[column]?.length ?? 0));
    return Math.min(WIDEST, Math.max(NARROWEST, longest));
  });
  const all = widths.reduce((sum, width) => sum + width, 0);
  return widths.map((width) => Math.round((100 * width) / all));
}

function cellsOf(line: string): string[] {
  const row = line.replace(/^[ >]*\|?/, '').replace(/\|\s*$/, '');
  return row.split(/(?<!\\)\|/).map((cell) => cell.trim());
}
