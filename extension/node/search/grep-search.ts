import { constants, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { compileGlob } from '../../core/base/text/glob.ts';
import { type SearchQuery, type SearchResult, WorkspaceError } from '../../core/ports/workspace.ts';
import { allows } from '../fs/access.ts';
import { type Captured, captureProcess } from '../processes/capture-process.ts';
import { type IgnoreRules, isIgnored, isRepository, rulesAbove, rulesOf } from './ignore-rules.ts';
import { countMatches, formatMatches, splitByFile, sumCounts } from './search-output.ts';
import type { SearchScope, TreeScope } from './search-scope.ts';

const OUTPUT_LIMIT = 8 * 1024 * 1024;
/** Characters of the paths in one call. Windows allows 32,767 for a whole command line. */
const BATCH_CHARACTERS = 20_000;

/**
 * Where systems install grep, GNU's before BSD's. Does not use the PATH, because a workspace could influence
 * it.
 */
const places = [
  '/opt/homebrew/bin/ggrep',
  '/usr/local/bin/ggrep',
  '/usr/bin/grep',
  '/bin/grep',
  'C:\\Program Files\\Git\\usr\\bin\\grep.exe',
];

export async function findSystemGrep(): Promise<string | undefined> {
  for (const place of places) {
    if (await allows(place, constants.X_OK)) return place;
  }
  return undefined;
}

/**
 * Searches with the machine's own grep, in the files that ripgrep would search. grep treats text files with
 * invalid UTF-8 as binary. Rejects with `WorkspaceError` or `AbortError`.
 */
export async function searchWithGrep(
  grep: string,
  query: SearchQuery,
  scope: SearchScope,
  signal: AbortSignal,
): Promise<SearchResult> {
  const lines: string[] = [];
  let [total, shown] = [0, 0];
  const format = ['-n', '-H', '--null', ...(query.context ? [`-C${query.context}`] : [])];
  for await (const paths of batches(matchingFiles(query, scope, signal))) {
    const { stdout, isCut } = await run(grep, format, query, paths, signal);
    const files = splitByFile(stdout, query.maxMatches);
    const more = formatMatches(files, query, scope.kind !== 'file', query.maxMatches - lines.length);
    if (query.context && lines.length > 0 && more.lines.length > 0) lines.push('--');
    lines.push(...more.lines);
    shown += more.count;
    total += isCut ? await countAll(grep, query, paths, signal) : countMatches(files);
  }
  return { matches: lines.join('\n'), omitted: Math.max(0, total - shown) };
}

async function* matchingFiles(
  { path, glob }: SearchQuery,
  scope: SearchScope,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const matches = glob === undefined || scope.kind === 'file' ? () => true : compileGlob(glob);
  for await (const file of filesOf(path, scope, signal))
    if (matches(relative(path, file).replaceAll(sep, '/'))) yield file;
}

async function* batches(paths: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for await (const path of paths) {
    batch.push(path);
    characters += path.length + 3;
    if (characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

async function countAll(
  grep: string,
  query: SearchQuery,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { stdout } = await run(grep, ['-c', '-h'], query, paths, signal);
  return sumCounts(stdout);
}

async function run(
  grep: string,
  format: readonly string[],
  query: SearchQuery,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Captured> {
  const { pattern, extended, ignoreCase, filesOnly } = query;
  const options = [...(extended ? ['-E'] : []), ...(ignoreCase ? ['-i'] : []), ...(filesOnly ? ['-m1'] : [])];
  const args = [...format, ...options, '-I', '-s', '-e', pattern, '--', ...paths];
  const captured = await captureProcess({ file: grep, args, limit: OUTPUT_LIMIT }, signal);
  const problem = problemIn(captured);
  if (problem) throw new WorkspaceError('invalid-pattern', query.path, problem);
  if (captured.exitCode !== null || captured.isCut) return captured;
  throw new WorkspaceError('failed', query.path, 'grep was ended by the system; search a narrower path');
}

/** Returns the error in the pattern, if any. With `-s`, grep reports no errors about files. */
function problemIn({ exitCode, isCut, stderr }: Captured): string | undefined {
  if (isCut || exitCode === 0 || exitCode === 1) return undefined;
  const errors = stderr.split('\n').filter((line) => line !== '' && !line.includes('warning:'));
  return errors[0]?.replace(/^[^:]*grep[^:]*: /, '');
}

/**
 * Yields the regular files of the scope that ripgrep would search, sorted by path. Does not follow links, and
 * skips directories that cannot be read. Throws the signal's reason if aborted.
 */
export async function* filesOf(
  path: string,
  scope: SearchScope,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (scope.kind === 'file') yield path;
  else if (scope.kind === 'directory') yield* filesIn(path, signal);
  else if (scope.isIgnored) yield* filesBelow(path, signal);
  else yield* wantedFilesBelow(path, await rulesAbove(path), scope, signal);
}

async function* filesIn(directory: string, signal: AbortSignal): AsyncGenerator<string> {
  for (const entry of await entriesOf(directory, signal))
    if (entry.isFile()) yield join(directory, entry.name);
}

async function* filesBelow(directory: string, signal: AbortSignal): AsyncGenerator<string> {
  for (const entry of await entriesOf(directory, signal)) {
    const path = join(directory, entry.name);
    if (isGit(entry)) continue;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory()) yield* filesBelow(path, signal);
  }
}

async function* wantedFilesBelow(
  directory: string,
  above: IgnoreRules | undefined,
  scope: TreeScope,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const rules = await rulesOf(directory, scope.isInRepository && (await isRepository(directory)), above);
  for (const entry of await entriesOf(directory, signal)) {
    const path = join(directory, entry.name);
    if (isGit(entry) || isIgnored(rules, path, entry.isDirectory())) continue;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory()) yield* wantedFilesBelow(path, rules, scope, signal);
  }
}

/** Whether the entry is a repository, or the file that states its place. */
function isGit(entry: Dirent): boolean {
  return entry.name === '.git';
}

async function entriesOf(directory: string, signal: AbortSignal): Promise<Dirent[]> {
  signal.throwIfAborted();
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}
