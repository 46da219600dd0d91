// The columns of `ls -al` where there is no `ls`.

export interface ListedEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'link' | 'other';
  /** Permission bits; of Windows only whether it may be written. */
  readonly mode: number;
  readonly links: number;
  readonly owner: string;
  readonly group: string;
  /** Bytes. */
  readonly size: number;
  readonly modified: Date;
  /** Where a link leads to. */
  readonly target?: string | undefined;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const HALF_A_YEAR = (365.2425 / 2) * 24 * 3600 * 1000;
const LETTERS = { file: '-', directory: 'd', link: 'l', other: '?' } as const;

/** As `ls` sorts: `.` and `..` first. `now` decides between time and year; `total` counts blocks of 1 KiB. */
export function formatListing(entries: readonly ListedEntry[], now: Date): string {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows = sorted.map((entry) => columnsOf(entry, now));
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const blocks = sorted.reduce((sum, entry) => sum + Math.ceil(entry.size / 1024), 0);
  const lines = rows.map((row) =>
    row.map((cell, column) => align(cell, column, widths[column] ?? 0)).join(' '),
  );
  return [`total ${blocks}`, ...lines, ''].join('\n');
}

function columnsOf(entry: ListedEntry, now: Date): string[] {
  return [
    LETTERS[entry.type] + permissions(entry.mode),
    String(entry.links),
    entry.owner,
    entry.group,
    String(entry.size),
    date(entry.modified, now),
    entry.target === undefined ? entry.name : `${entry.name} -> ${entry.target}`,
  ];
}

/** Numbers (links, size) to the right, words to the left. */
function align(cell: string, column: number, width: number): string {
  return column === 1 || column === 4 ? cell.padStart(width) : cell.padEnd(width);
}

function permissions(mode: number): string {
  return [6, 3, 0]
    .map((shift) => mode >> shift)
    .map((bits) => (bits & 4 ? 'r' : '-') + (bits & 2 ? 'w' : '-') + (bits & 1 ? 'x' : '-'))
    .join('');
}

/** The time of a recent change, the year of any other. */
function date(time: Date, now: Date): string {
  const age = now.getTime() - time.getTime();
  const day = String(time.getDate()).padStart(2);
  const recent = age >= 0 && age < HALF_A_YEAR;
  return `${MONTHS[time.getMonth()]} ${day} ${recent ? clockTime(time) : ` ${time.getFullYear()}`}`;
}

function clockTime(time: Date): string {
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`;
}
