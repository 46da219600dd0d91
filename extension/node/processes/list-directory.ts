import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, opendir, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkspaceError } from '../../core/ports/workspace.ts';
import { errorCode, ifPresent } from '../fs/file-errors.ts';
import { typeOf } from '../fs/read-file.ts';
import { OutputBuffer } from './output-buffer.ts';

/** Absolute, so that Harness does not run a program of this name from the workspace or the PATH. */
const LS = '/bin/ls';
const MAX_BYTES = 8 * 1024 * 1024;

/** Resolves with the output of `ls -al PATH`, or with the same columns if there is no `ls`. */
export async function listDirectory(path: string, signal: AbortSignal): Promise<string> {
  await requireReadable(path);
  try {
    return await runLs(path, signal);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return listWithoutLs(path);
    throw error;
  }
}

/** Checks access first, because `ls` reports a denial only in the user's language. */
async function requireReadable(path: string): Promise<void> {
  await (await opendir(path)).close();
}

async function runLs(path: string, signal: AbortSignal): Promise<string> {
  const child = spawn(LS, ['-al', path], { stdio: ['ignore', 'pipe', 'ignore'], signal });
  const output = new OutputBuffer(MAX_BYTES);
  child.stdout.on('data', (chunk: Uint8Array) => output.push(chunk));
  const [code] = await once(child, 'close');
  output.finish();
  // Exit code 1 means that `ls` could not read some entries, which its output marks.
  if (code === 0 || code === 1) return output.text();
  throw new WorkspaceError('failed', path, `could not be listed: ${path} (ls ended with ${code})`);
}

export async function listWithoutLs(path: string): Promise<string> {
  const names = await readdir(path);
  const entries = await Promise.all(['.', '..', ...names].map((name) => toEntry(path, name)));
  return formatListing(
    entries.filter((entry) => entry !== undefined),
    new Date(),
  );
}

/** Resolves with undefined for an entry that vanished while the directory was read. */
async function toEntry(directory: string, name: string): Promise<ListedEntry | undefined> {
  const path = join(directory, name);
  const isLink = (await ifPresent(lstat(path)))?.isSymbolicLink() ?? false;
  const stats = await ifPresent(isLink ? lstat(path) : stat(path));
  if (!stats) return undefined;
  return {
    name,
    type: isLink ? 'link' : typeOf(stats),
    mode: stats.mode,
    links: stats.nlink,
    owner: String(stats.uid),
    group: String(stats.gid),
    size: stats.size,
    modified: stats.mtime,
    target: isLink ? await ifPresent(readlink(path)) : undefined,
  };
}

// The columns of `ls -al`, for systems without `ls`.

export interface ListedEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'link' | 'other';
  /** Permission bits. On Windows, they state only whether the file is writable. */
  readonly mode: number;
  readonly links: number;
  readonly owner: string;
  readonly group: string;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /** The target of a link. */
  readonly target?: string | undefined;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const HALF_A_YEAR = (365.2425 / 2) * 24 * 3600 * 1000;
const LETTERS = { file: '-', directory: 'd', link: 'l', other: '?' } as const;

/**
 * Sorts like `ls`, with `.` and `..` first. `now` decides between time and year. `total` counts blocks of 1
 * KiB.
 */
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

/** Aligns numbers (links, size) to the right, words to the left. */
function align(cell: string, column: number, width: number): string {
  return column === 1 || column === 4 ? cell.padStart(width) : cell.padEnd(width);
}

function permissions(mode: number): string {
  return [6, 3, 0]
    .map((shift) => mode >> shift)
    .map((bits) => (bits & 4 ? 'r' : '-') + (bits & 2 ? 'w' : '-') + (bits & 1 ? 'x' : '-'))
    .join('');
}

/** Shows the time of a recent change, the year of any other. */
function date(time: Date, now: Date): string {
  const age = now.getTime() - time.getTime();
  const day = String(time.getDate()).padStart(2);
  const recent = age >= 0 && age < HALF_A_YEAR;
  return `${MONTHS[time.getMonth()]} ${day} ${recent ? clockTime(time) : ` ${time.getFullYear()}`}`;
}

function clockTime(time: Date): string {
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`;
}
