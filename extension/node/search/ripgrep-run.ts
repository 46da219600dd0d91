import { type SearchQuery, type SearchResult, WorkspaceError } from '../../core/ports/workspace.ts';
import { type Captured, captureProcess } from '../processes/capture-process.ts';
import {
  countMatches,
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

/** A regular expression for one of ripgrep's two engines. */
interface RipgrepPattern {
  readonly engine: 'rust' | 'pcre';
  readonly regex: string;
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

function toResult({ query, scope }: RipgrepSearch, output: Buffer, total: number | undefined): SearchResult {
  const files = sortByPath(splitByFile(output, query.maxMatches));
  const lines = formatMatches(files, scope.kind !== 'file', query.maxMatches);
  return { matches: lines.join('\n'), omitted: Math.max(0, (total ?? countMatches(files)) - lines.length) };
}

async function countAll(search: RipgrepSearch, signal: AbortSignal): Promise<number> {
  const counted = await run(search, ['--count', '--no-filename'], signal);
  return counted ? sumCounts(counted.stdout) : 0;
}

async function run(
  search: RipgrepSearch,
  extra: readonly string[],
  signal: AbortSignal,
): Promise<Captured | undefined> {
  const program = { file: search.ripgrep, args: toArguments(search, extra), limit: FLOOD };
  const captured = await captureProcess(program, signal);
  if (captured.isCut || captured.exitCode === 0 || captured.exitCode === 1) return captured;
  if (!isAboutFiles(captured)) return undefined;
  if (search.scope.kind !== 'file') return captured;
  throw new WorkspaceError('failed', search.query.path, captured.stderr.trim());
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
    '--case-sensitive',
    '--encoding=none',
    `--max-columns=${LINE_BYTES}`,
    '--max-columns-preview',
    '--hidden',
    '--no-ignore-messages',
    ...(pattern.engine === 'pcre' ? ['--pcre2'] : []),
    ...toScopeArguments(scope),
    ...extra,
    `--regexp=${pattern.regex}`,
    '--',
    query.path,
  ];
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
