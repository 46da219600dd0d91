import { type SearchQuery, type SearchResult, WorkspaceError } from '../../core/ports/workspace.ts';
import type { Bre } from '../../core/tools/grep/bre/ast.ts';
import { type Engine, enginesFor } from '../../core/tools/grep/bre/choose-engine.ts';
import { parseBre } from '../../core/tools/grep/bre/parse-bre.ts';
import { PatternError } from '../../core/tools/grep/bre/pattern-error.ts';
import { pcreDialect, printRegex, rustDialect } from '../../core/tools/grep/bre/to-regex.ts';
import { errorCode, toWorkspaceError } from '../fs/file-errors.ts';
import { findSystemGrep, searchWithGrep } from './grep-search.ts';
import { runRipgrep } from './ripgrep-run.ts';
import { findScope, type SearchScope } from './search-scope.ts';

export interface SearchOptions {
  /** The result of `findRipgrep`. If undefined, the machine's grep searches. */
  readonly ripgrepPath?: string | undefined;
  /** Limit for one search in milliseconds; the default is 20 s. */
  readonly timeoutMs?: number | undefined;
  /** Resolves with an absolute path of the machine's grep; undefined if there is none. */
  readonly findGrep?: (() => Promise<string | undefined>) | undefined;
}

/** `Workspace.search` for files on disk. */
export type Search = (query: SearchQuery, signal: AbortSignal) => Promise<SearchResult>;

interface Task {
  readonly query: SearchQuery;
  /** Undefined for an extended pattern, which ripgrep parses. */
  readonly bre: Bre | undefined;
  readonly scope: SearchScope;
  readonly ripgrepPath: string | undefined;
  readonly findGrep: () => Promise<string | undefined>;
}

/**
 * Searches like GNU grep, with ripgrep. Searches hidden files, and does not follow links. In a tree, skips
 * `.git` and binary files. Also skips ignored files, unless the ignore files name the tree itself.
 */
export function createSearch(options: SearchOptions): Search {
  const { ripgrepPath, timeoutMs = 20_000, findGrep = findSystemGrep } = options;
  return async (query, signal) => {
    const bre = query.extended ? undefined : parsePattern(query);
    const scope = await findScope(query.path, query.recursive);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(tookTooLong(query, timeoutMs)), timeoutMs);
    try {
      const either = AbortSignal.any([signal, deadline.signal]);
      return await search({ query, bre, scope, ripgrepPath, findGrep }, either);
    } catch (error) {
      if (signal.aborted)
        throw new WorkspaceError('failed', query.path, 'search cancelled', { cause: error });
      deadline.signal.throwIfAborted();
      throw toWorkspaceError(error, query.path);
    } finally {
      clearTimeout(timer);
    }
  };
}

function parsePattern({ pattern, path }: SearchQuery): Bre {
  try {
    return parseBre(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new WorkspaceError('invalid-pattern', path, error.message, { cause: error });
  }
}

function tookTooLong({ path }: SearchQuery, timeoutMs: number): WorkspaceError {
  const message = `search stopped after ${timeoutMs / 1000} s: ${path}; give a narrower path or a simpler pattern`;
  return new WorkspaceError('failed', path, message);
}

async function search(task: Task, signal: AbortSignal): Promise<SearchResult> {
  const engines = task.bre ? enginesFor(task.bre) : (['rust', 'grep'] as const);
  for (const engine of engines) {
    const result = await searchWith(engine, task, signal);
    if (result) return result;
  }
  const isPlain = engines.length === 0 || engines.includes('rust');
  throw new WorkspaceError('failed', task.query.path, whatIsMissing(task, isPlain));
}

function whatIsMissing({ ripgrepPath }: Task, isPlain: boolean): string {
  if (ripgrepPath === undefined) {
    return 'searching needs ripgrep, and neither it nor grep was found: install ripgrep and put `rg` on the PATH';
  }
  return isPlain
    ? 'Regular expression too big'
    : 'this pattern needs GNU grep, which is not installed: write it without back-references';
}

/** Resolves with undefined if the engine is missing or cannot take the expression. */
async function searchWith(
  engine: Engine,
  task: Task,
  signal: AbortSignal,
): Promise<SearchResult | undefined> {
  if (engine !== 'grep') return searchWithRipgrep(engine, task, signal);
  const grep = await task.findGrep();
  return grep === undefined ? undefined : searchWithGrep(grep, task.query, task.scope, signal);
}

async function searchWithRipgrep(
  engine: 'rust' | 'pcre',
  { query, bre, scope, ripgrepPath }: Task,
  signal: AbortSignal,
): Promise<SearchResult | undefined> {
  if (ripgrepPath === undefined) return undefined;
  const pattern = bre
    ? { engine, regexes: [printRegex(bre, engine === 'rust' ? rustDialect : pcreDialect)] }
    : { engine: 'auto' as const, regexes: query.pattern.split('\n') };
  try {
    return await runRipgrep({ ripgrep: ripgrepPath, pattern, query, scope }, signal);
  } catch (error) {
    if (couldNotStart(error)) return undefined;
    throw error;
  }
}

/**
 * Whether the program could not start: it is gone, is for another machine, or has too many arguments for the
 * system.
 */
function couldNotStart(error: unknown): boolean {
  const code = errorCode(error);
  return code !== undefined && code !== 'ABORT_ERR';
}
