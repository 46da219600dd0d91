import { endsInName } from '../../core/base/text/glob.ts';
import { type SearchQuery, type SearchResult, WorkspaceError } from '../../core/ports/workspace.ts';
import { type Captured, captureProcess } from '../processes/capture-process.ts';
import { createIgnoreCheck } from './ignore-rules.ts';
import {
  countMatches,
  type FileMatches,
  formatMatches,
  LINE_BYTES,
  sortByPath,
  splitByFile,
  sumCounts,
} from './search-output.ts';
import type { SearchScope } from './search-scope.ts';

/**
 * Maximum bytes of output. Above this, the kept part would depend on which thread of ripgrep was first, so a
 * second run sorts.
 */
const FLOOD = 8 * 1024 * 1024;
/** ripgrep refuses an expression that takes more, after a second rather than ten. */
const MAX_REGEX = '20M';

/** Regular expressions, of which one must match, for one of ripgrep's two engines, or the one that can. */
interface RipgrepPattern {
  readonly engine: 'rust' | 'pcre' | 'auto';
  readonly regexes: readonly string[];
}

export interface RipgrepSearch {
  /** Absolute path of the program. */
  readonly ripgrep: string;
  readonly pattern: RipgrepPattern;
  readonly query: SearchQuery;
  readonly scope: SearchScope;
}

/**
 * Resolves with undefined if this ripgrep cannot do it: it is too old, lacks PCRE2, or the expression is too
 * big. Rejects with `WorkspaceError`, with `AbortError`, and if ripgrep cannot be started.
 */
export async function runRipgrep(
  search: RipgrepSearch,
  signal: AbortSignal,
): Promise<SearchResult | undefined> {
  const first = await run(search, [], signal);
  if (!first) return undefined;
  if (!first.isCut) return toResult(search, first.stdout, undefined);
  const total = await countAll(search, signal);
  const sorted = await run(search, ['--sort=path'], signal);
  return sorted && toResult(search, sorted.stdout, total);
}

async function toResult(
  { query, scope }: RipgrepSearch,
  output: Buffer,
  total: number | undefined,
): Promise<SearchResult> {
  const files = await withoutIgnored(sortByPath(splitByFile(output, query.maxMatches)), query, scope);
  const { lines, count } = formatMatches(files, query, scope.kind !== 'file', query.maxMatches);
  return { matches: lines.join('\n'), omitted: Math.max(0, (total ?? countMatches(files)) - count) };
}

/** With a glob, ripgrep also searches ignored files that match it. */
async function withoutIgnored(
  files: readonly FileMatches[],
  { glob }: SearchQuery,
  scope: SearchScope,
): Promise<readonly FileMatches[]> {
  if (glob === undefined || scope.kind !== 'tree' || scope.isIgnored) return files;
  const isIgnored = createIgnoreCheck();
  const verdicts = await Promise.all(files.map(({ path }) => isIgnored(path.toString('utf8'))));
  return files.filter((_, index) => !verdicts[index]);
}

async function countAll(search: RipgrepSearch, signal: AbortSignal): Promise<number> {
  const counted = await run(search, ['--count', '--no-filename', '--context=0'], signal);
  return counted ? sumCounts(counted.stdout) : 0;
}

async function run(
  search: RipgrepSearch,
  extra: readonly string[],
  signal: AbortSignal,
): Promise<Captured | undefined> {
  const { ripgrep, query, scope } = search;
  const program = { file: ripgrep, args: toArguments(search, extra), limit: FLOOD };
  // Globs are relative to the working folder.
  const directory = query.glob !== undefined && scope.kind !== 'file' && { directory: query.path };
  const captured = await captureProcess({ ...program, ...directory }, signal);
  if (captured.isCut || captured.exitCode === 0 || captured.exitCode === 1) return captured;
  if (!isAboutFiles(captured)) return refusal(search, captured);
  if (search.scope.kind !== 'file') return captured;
  throw new WorkspaceError('failed', search.query.path, captured.stderr.trim());
}

/** Undefined if another engine may do it. */
function refusal({ pattern, query }: RipgrepSearch, { exitCode, stderr }: Captured): undefined {
  if (pattern.engine !== 'auto' || exitCode !== 2) return undefined;
  const [, problem] = /^error: (.+)$/m.exec(stderr) ?? /^(?:rg: )?(.+)$/m.exec(stderr) ?? [];
  throw new WorkspaceError(
    'invalid-pattern',
    query.path,
    `invalid extended pattern: ${problem ?? 'unknown error'}`,
  );
}

/**
 * Whether all errors are about unreadable files, after which ripgrep continues. Each such message ends with
 * the system's error number.
 */
function isAboutFiles({ exitCode, stderr }: Captured): boolean {
  const lines = stderr.trimEnd().split('\n');
  return exitCode === 2 && lines.every((line) => /\(os error \d+\)$/.test(line));
}

/** `--encoding=none` makes ripgrep take the bytes as they are, like grep, even after a byte order mark. */
function toArguments({ pattern, query, scope }: RipgrepSearch, extra: readonly string[]): string[] {
  return [
    '--no-config',
    '--color=never',
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--null',
    query.ignoreCase ? '--ignore-case' : '--case-sensitive',
    '--encoding=none',
    `--max-columns=${LINE_BYTES}`,
    '--max-columns-preview',
    '--hidden',
    '--no-ignore-messages',
    `--regex-size-limit=${MAX_REGEX}`,
    ...(pattern.engine === 'rust' ? [] : [pattern.engine === 'pcre' ? '--pcre2' : '--engine=auto']),
    ...(query.context ? [`--context=${query.context}`] : []),
    // The first match tells that the file has one.
    ...(query.filesOnly ? ['--max-count=1'] : []),
    ...toGlobArguments(query),
    ...toScopeArguments(scope),
    ...extra,
    ...pattern.regexes.map((regex) => `--regexp=${regex}`),
    '--',
    query.path,
  ];
}

function toGlobArguments({ glob }: SearchQuery): readonly string[] {
  if (glob === undefined) return [];
  const below = endsInName(glob) ? [`--glob=${glob.replace(/\/+$/, '')}/**`] : [];
  return [`--glob=${glob}`, ...below];
}

/**
 * A `.gitignore` also applies outside of repositories. The user's own Git settings never apply, so that every
 * machine finds the same.
 */
function toScopeArguments(scope: SearchScope): readonly string[] {
  if (scope.kind === 'file') return [];
  if (scope.kind === 'directory') return ['--max-depth=1', '--no-ignore'];
  if (scope.isIgnored) return ['--glob=!.git', '--no-ignore'];
  return ['--glob=!.git', '--no-ignore-global', ...(scope.isInRepository ? [] : ['--no-require-git'])];
}
